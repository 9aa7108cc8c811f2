"""Words that a deployment and a disclosure are described in, and what they are graded with (method, section 6)."""

PRECISIONS = ("fp32", "tf32", "bf16", "fp16", "fp8", "int8", "fp4", "int4", "w8a16", "w4a16", "w4a8")
# Bits of the weights and of the arithmetic: fewer of both take less energy; fewer of one and more of the other cannot be told.
BITS = {"fp32": (32, 32), "tf32": (32, 19), "bf16": (16, 16), "fp16": (16, 16), "fp8": (8, 8), "int8": (8, 8), "fp4": (4, 4),
        "int4": (4, 4), "w8a16": (8, 16), "w4a16": (4, 16), "w4a8": (4, 8)}  # fmt: skip
TUNED, DEFAULT = "tuned", "default"
STACKS = (TUNED, DEFAULT)  # the one that takes less energy first
NO, YES = "no", "yes"
YES_NO = (YES, NO)
NO_ACCELERATOR = "none"

MATCH, MISMATCH, UNKNOWN = "match", "mismatch", "unknown"
NO_BIAS, UNDERSTATES, OVERSTATES, NOT_KNOWN = "none", "understates", "overstates", "not known"

FEASIBILITY, DIRECTIONAL, MEASURE = "feasibility evidence", "directional bound", "measure first"

SAME_MODEL = {"resnet": "resnet50"}  # a model by a benchmark's name, and by its own
