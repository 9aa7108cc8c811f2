// What the page's script makes of grids at positions of the sliders: JSON in, JSON out.
const { total, outcome } = require(process.argv[2]);
let read = "";
process.stdin.on("data", (part) => { read += part; }).on("end", () => {
  const { grid, points } = JSON.parse(read);
  const totals = points.map((at) => grid.results.map((terms) => total(grid, terms, at)[0]));
  process.stdout.write(JSON.stringify({ totals, outcomes: grid.judged ? points.map((at) => outcome(grid, at)) : [] }));
});
