"""Notices that must stand beside figures of others."""

# Asked for by MLCommons wherever a result is quoted.
MLPERF_NOTICE = (
    "The MLPerf name and logo are registered and unregistered trademarks of MLCommons Association in the United States and other "
    "countries. All rights reserved. Unauthorized use strictly prohibited. See www.mlcommons.org for more information."
)
