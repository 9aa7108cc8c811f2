"""May a benchmark's result carry my estimate (method, section 6)?"""

from joulebook.method.matching.grade import GRADE

CALCULATIONS = GRADE
