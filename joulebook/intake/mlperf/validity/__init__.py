"""Whether a power result keeps the rules of a submission, rule by rule, with the measured number and the limit.

References
----------
.. [1] MLCommons, MLPerf power measurement rules, and the compliance checker of mlcommons/power-dev.
"""
