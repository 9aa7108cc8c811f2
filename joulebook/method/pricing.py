"""What rests on money, and what is not priced because an input has expired."""

MONEY = "money"  # what the unit of an amount begins with in the dictionary of inputs
CURRENCY = "{currency}"  # what it holds in that of results
_PLAIN = ("", "1", "%")  # units of shares, factors and probabilities


class Pricing:
    """Which inputs each result rests on, and whether money may be told of them.

    Parameters
    ----------
    inputs : dict of str to joulebook.inputs.Input
        Checked inputs of a topic.
    parameters : dict of str to joulebook.dictionary.Parameter
        Their rows.
    argument : callable
        The name under which a calculation finds an input.
    """

    def __init__(self, inputs, parameters, argument):
        self._inputs = inputs
        self._rests = {argument(name): {name: None} for name in inputs}  # names in order, each once
        self._rests["given"] = dict.fromkeys(inputs)  # what is handed all inputs may use any
        self._unmoved = {}
        self._amounts = {name for name in inputs if parameters[name].unit.startswith(MONEY)}

    def uses(self, names):
        """Inputs that several inputs and results rest on, however far back, each once."""
        return {found: None for name in names for found in self._rests.get(name, ())}

    def keep(self, name, rests, unmoved=()):
        """Note the inputs that a result rests on: those of its calculation, but for those that leave it as it is."""
        self._rests[name], self._unmoved[name] = rests, set(unmoved)

    def rests_on(self, name):
        """Names of the inputs that a result rests on, however far back."""
        return [found for found in self._rests[name] if found not in self._unmoved.get(name, ())]

    def reason(self, name, definition):
        """Why a result is not told: the inputs that it is priced by and that have expired.

        Parameters
        ----------
        name : str
            The result.
        definition : joulebook.dictionary.Definition
            Its row.

        Returns
        -------
        str
            Each expired input with its day; empty where nothing stands against it.

        Notes
        -----
        Priced is what is an amount of money or rests on one. A text, a table, a share or a probability may hold still while
        an amount moves: it is priced where its calculation knows amounts.
        """
        held_still = definition.kind != "number" or definition.unit in _PLAIN
        rests = list(self._rests[name]) if held_still else self.rests_on(name)
        if CURRENCY not in definition.unit and not self._amounts & set(rests):
            return ""
        old = [f"{found} ({self._inputs[found].expires})" for found in rests if not self._inputs[found].prices]
        return f"expired, not used for pricing: {', '.join(old)}" if old else ""
