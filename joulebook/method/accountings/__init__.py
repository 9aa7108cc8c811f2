"""How others count the energy of a request: a module an accounting, own code by their published formulas."""
