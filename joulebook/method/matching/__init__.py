"""A benchmark's result held against a deployment: fields, grade, sizes of bias, disclosure, measurement plan."""
