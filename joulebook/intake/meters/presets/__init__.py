"""Formats of meters' files, a module a family: each gives the tables of a file and what it knows of their columns.

Each has ``open_file(path, shown, declaration, ask)``, which gives pairs of a table (`header`, `sample`, `blocks`) and its
`joulebook.intake.meters.layout.Layout`; ``ask(what, key, **place)`` takes what the preset does not know and nobody declared.
"""
