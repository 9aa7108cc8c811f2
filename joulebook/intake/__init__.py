"""Files in, checked values out."""


def __getattr__(name):
    if name == "inputs":  # late: the notebooks need it, the command line does not
        from joulebook.intake.notebook import inputs

        return inputs
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
