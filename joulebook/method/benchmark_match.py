"""May a benchmark's result carry my estimate (method, section 6)?

`GRADE` holds the calculations that lead from a deployment and a disclosure to the grade, and take nothing else.
"""

from joulebook.method.matching.disclosed import attribution, completeness
from joulebook.method.matching.grade import GRADE, grade_of, match_fields
from joulebook.method.matching.plan import measurement_plan, repeats
from joulebook.method.matching.sizes import bias_sizes, scenario_pairs

__all__ = ["CALCULATIONS", "GRADE", "attribution", "bias_sizes", "completeness", "grade_of", "match_fields", "measurement_plan",
           "repeats", "scenario_pairs"]

CALCULATIONS = (*GRADE, scenario_pairs, bias_sizes, completeness, attribution, repeats, measurement_plan)
