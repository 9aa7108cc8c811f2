"""MLPerf Training: energy of nodes and switches over the time to train, and the mean over the runs of a result."""
