"""MLPerf Tiny: energy of timed inference windows, from the text of its runners and from traces."""
