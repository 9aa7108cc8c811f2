/* Sliders that move the main numbers of a page. The numbers are the method's: what its functions gave when the page was made stands
   on grids, a part of a result each. Here they are interpolated in logarithms and added up, nothing more. The page is whole without it. */
(() => {
  const NEAR = 1e-9;   // of a cell: what lies no further from a point of a grid is on it

  /* The cell of rising nodes that holds a value, and how far into it that lies, in logarithms. */
  function cell(nodes, at) {
    let below = 0, above = nodes.length - 1;
    while (above - below > 1) {
      const middle = (below + above) >> 1;
      if (nodes[middle] <= at) below = middle; else above = middle;
    }
    const share = Math.log(at / nodes[below]) / Math.log(nodes[above] / nodes[below]);
    return [below, share < NEAR ? 0 : share > 1 - NEAR ? 1 : share];
  }

  /* A part between the points of its grid: in logarithms where all corners that count have one sign, else straight. */
  function interpolate({ axes, values }, at) {
    let corners = [[0, 1]];
    for (const [slider, nodes] of axes) {
      const [below, share] = cell(nodes, at[slider]);
      corners = corners.flatMap(([place, weight]) => [
        [place * nodes.length + below, weight * (1 - share)], [place * nodes.length + below + 1, weight * share]]);
    }
    corners = corners.filter(([, weight]) => weight > 0).map(([place, weight]) => [values[place], weight]);
    const sum = (of) => corners.reduce((total, [value, weight]) => total + weight * of(value), 0);
    const sign = Math.sign(corners[0][0]);
    if (sign && corners.every(([value]) => Math.sign(value) === sign)) return sign * Math.exp(sum((value) => Math.log(Math.abs(value))));
    return sum((value) => value);
  }

  /* A result: how many times each of its parts, added up; and the size of what was added. */
  function total(grid, terms, at) {
    const amounts = terms.map(([part, times]) => times * interpolate(grid.parts[part], at));
    return [amounts.reduce((sum, amount) => sum + amount, 0), amounts.reduce((sum, amount) => sum + Math.abs(amount), 0)];
  }

  /* On which side of the hurdle a sum lies. */
  function outcome(grid, at) {
    const [over, size] = total(grid, grid.results[0], at);
    return Math.abs(over) <= grid.border * size ? "border" : over > 0 ? "reached" : "missed";
  }

  const explore = { interpolate, total, outcome };
  if (typeof module === "object") module.exports = explore;
  if (typeof document === "undefined") return;

  const SVG = "http://www.w3.org/2000/svg", DIGITS = 4, AS_GIVEN = 12;
  const STEPS = [1, 2, 5];

  function element(name, attributes, words) {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (words !== undefined) made.textContent = words;
    return made;
  }

  function writer(locale) {
    const known = {};
    return (value, digits) => {
      known[digits] ??= new Intl.NumberFormat(`${locale}-u-nu-latn`, { maximumSignificantDigits: digits });
      return known[digits].format(value).replace("-", "\u2212").replace(/^\u2212(0)$/, "$1");
    };
  }

  /* Round values between two ends, few enough to stand beside one another. */
  function ticks([low, high], logarithmic, most) {
    const found = [];
    if (logarithmic) {
      for (const steps of [STEPS, [1, 3], [1]]) {
        found.length = 0;
        for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power += 1) {
          for (const step of steps) found.push(Number(`${step}e${power}`));
        }
        const inside = found.filter((value) => value >= low * 0.999 && value <= high * 1.001);
        if (inside.length <= most && inside.length > 1) return inside;
      }
      return [low, high];
    }
    const about = (high - low) / most, power = 10 ** Math.floor(Math.log10(about));
    const step = power * [1, 2, 2.5, 5, 10].find((times) => times * power >= about);
    for (let value = Math.ceil(low / step) * step; value <= high + step * 1e-9; value += step) found.push(Math.abs(value) < step / 2 ? 0 : value);
    return found;
  }

  function prepare(box) {
    box.hidden = false;
    if (!box.dataset.grid) return;
    const grid = JSON.parse(box.dataset.grid), write = writer(box.dataset.locale);
    const inputs = [...box.querySelectorAll("input")], outputs = inputs.map((input) => input.previousElementSibling);
    const results = [...box.querySelectorAll("[data-result]:not(.outcomes)")], texts = [...results, ...outputs].map((item) => item.textContent);
    const back = box.querySelector("button"), picture = box.querySelector(".picture");
    const start = grid.sliders.map((slider) => slider.positions[slider.start]), reached = {};
    let over = grid.over;

    const standing = () => inputs.map((input, place) => grid.sliders[place].positions[Number(input.value)]);
    const resting = () => inputs.every((input, place) => Number(input.value) === grid.sliders[place].start);

    function show() {
      const at = standing(), rests = resting();
      inputs.forEach((input, place) => {
        const { positions, start: home, percent } = grid.sliders[place], output = outputs[place];
        const number = write(positions[Number(input.value)] * (percent ? 100 : 1), AS_GIVEN);
        const words = Number(input.value) === home ? texts[results.length + place] : output.dataset.before + number + output.dataset.behind;
        output.textContent = words;
        input.setAttribute("aria-valuetext", words);
        input.dataset.value = positions[Number(input.value)];
      });
      results.forEach((result, place) => {
        const [value] = total(grid, grid.results[place], at);
        result.textContent = rests ? texts[place] : write(value, DIGITS);
        result.dataset.value = value;
      });
      if (grid.judged) {
        const says = outcome(grid, at), told = box.querySelector(".outcomes");
        for (const line of told.children) {
          line.hidden = line.dataset.outcome !== says;
          if (!line.hidden) told.dataset.value = line.dataset.class;
        }
      }
      back.disabled = rests;
      draw(at);
    }

    /* A sum over one slider, all others where they stand: at its positions, and on both sides of a step. */
    function curve(at, terms) {
      const places = new Set(grid.sliders[over].positions);
      const low = grid.sliders[over].positions[0], high = grid.sliders[over].positions.at(-1);
      for (const part of grid.parts) {
        for (const [slider, nodes] of part.axes) if (slider === over) nodes.forEach((node) => node >= low && node <= high && places.add(node));
      }
      return [...places].sort((a, b) => a - b).map((place) => [place, total(grid, terms, at.map((value, slider) => (slider === over ? place : value)))[0]]);
    }

    function draw(at) {
      const width = picture.clientWidth, height = Math.min(280, Math.max(200, width * 0.42));
      if (!width) return;
      const lines = grid.lines.map((terms) => curve(at, terms));
      const heights = lines.flatMap((points) => points.map(([, y]) => y));
      reached[over] ??= [Infinity, -Infinity];   // the frame grows and does not shrink, so that a curve is seen to move
      const frame = reached[over];
      frame[0] = Math.min(frame[0], ...heights);
      frame[1] = Math.max(frame[1], ...heights);
      const { positions, percent } = grid.sliders[over], ends = [positions[0], positions.at(-1)];
      const steep = frame[0] > 0, wide = ends[1] / ends[0] >= 5;
      const room = steep ? Math.max((frame[1] / frame[0]) ** 0.06, 1.05) : (frame[1] - frame[0] || Math.abs(frame[1]) || 1) * 0.06;
      const tall = steep ? [frame[0] / room, frame[1] * room] : [frame[0] - room, frame[1] + room];
      const upright = ticks(tall, steep, 6), across = ticks(percent ? ends.map((end) => end * 100) : ends, wide, width < 420 ? 4 : 7);
      const names = upright.map((value) => write(value, 3)), left = 14 + 7.2 * Math.max(...names.map((name) => name.length));
      const inner = { left, right: width - 22, top: 14, bottom: height - 42 };
      const part = (value, [low, high], log) => (log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low));
      const x = (value) => inner.left + (inner.right - inner.left) * part(value, ends, wide);
      const y = (value) => inner.bottom - (inner.bottom - inner.top) * part(value, tall, steep);
      const svg = element("svg", { width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
      upright.forEach((value, place) => svg.append(
        element("line", { class: "rule", x1: inner.left, x2: inner.right, y1: y(value), y2: y(value) }),
        element("text", { x: inner.left - 7, y: y(value) + 4, "text-anchor": "end" }, names[place])));
      for (const value of across) {
        const where = x(percent ? value / 100 : value);
        svg.append(element("line", { class: "tick", x1: where, x2: where, y1: inner.bottom, y2: inner.bottom + 4 }),
                   element("text", { x: where, y: inner.bottom + 18, "text-anchor": "middle" }, write(value, 3) + (percent ? "\u00a0%" : "")));
      }
      svg.append(element("line", { class: "axis", x1: inner.left, x2: inner.right, y1: inner.bottom, y2: inner.bottom }));
      svg.append(element("text", { x: inner.right, y: height - 6, "text-anchor": "end", class: "name" }, grid.sliders[over].title));
      svg.append(element("line", { class: "drop", x1: x(at[over]), x2: x(at[over]), y1: inner.top, y2: inner.bottom }));
      lines.forEach((points, place) => svg.append(element("polyline", {
        class: `line line-${place}`, points: points.map(([px, py]) => `${x(px).toFixed(1)},${y(py).toFixed(1)}`).join(" ") })));
      const right = x(at[over]) > (inner.left + inner.right) / 2;
      grid.lines.forEach((terms, place) => {
        const [value] = total(grid, terms, at);
        svg.append(element("circle", { class: `here line-${place}`, cx: x(at[over]), cy: y(value), r: place ? 4.5 : 6 }));
        if (place) return;
        svg.append(element("text", { class: "here", x: x(at[over]) + (right ? -11 : 11), y: Math.max(inner.top + 8, y(value) - 9),
                                     "text-anchor": right ? "end" : "start" }, write(value, DIGITS)));
      });
      picture.replaceChildren(svg);
    }

    inputs.forEach((input, place) => input.addEventListener("input", () => { over = place; show(); }));
    back.addEventListener("click", () => {
      inputs.forEach((input, place) => { input.value = grid.sliders[place].start; });
      over = grid.over;
      for (const place of Object.keys(reached)) delete reached[place];
      show();
      inputs[0].focus();
    });
    new ResizeObserver(() => draw(standing())).observe(picture);
    show();
  }

  document.querySelectorAll("[data-explorer]").forEach(prepare);
})();
