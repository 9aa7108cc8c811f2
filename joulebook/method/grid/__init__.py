"""Work on the hours of a grid: series of carbon intensity, the load beside them, and where and when work may run."""
