"""Tables of any file as blocks of columns: delimited text, Parquet, Excel, and what presets make of other text."""
