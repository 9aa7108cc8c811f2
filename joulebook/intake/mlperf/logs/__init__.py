"""The files of an MLPerf run, a module for each kind."""
