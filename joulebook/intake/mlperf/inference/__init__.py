"""MLPerf inference: a performance run and its figures."""
