// A learned model: accuracy, errors, rules.

const SHARES = [
  ["cells", "all cells", "the share of cells that are right; still ones flatter it"],
  ["things", "all things", "the share of things that are right: kind and place, or gone; still ones flatter it"],
  ["changed_cells", "cells that change", "of cells that change or are predicted to, the share that is right"],
  ["changed_things", "things that change", "of things that change or are predicted to, the share that is right"],
  ["states", "whole states", "transitions without a wrong thing"],
  ["grids", "whole grids", "transitions without a wrong cell"],
  ["changed_cells_5", "cells that change, 5 steps ahead", "after five steps in a row that were all imagined"],
  ["grids_5", "whole grids, 5 steps ahead", "after five steps in a row that were all imagined"],
  ["changed_things_5", "things that change, 5 steps ahead", "after five steps in a row that were all imagined"],
  ["states_5", "whole states, 5 steps ahead", "after five steps in a row that were all imagined"],
  ["gains", "gains", "transitions whose change of score is right"],
  ["seen", "seen before", "situations that had come up in training"],
].filter(([name]) => name in data.accuracy);
const everybody = SHARES.map(([, name]) => name);
const chosen = { hidden: new Set(["gains", "seen before", `${data.noun}s that change, 5 steps ahead`]), strip: 0, confusion: 0, chapter: 0, whole: false };
const FEW = 12;  // rules that are shown at once
const controls = () => null;

// Grids: static kinds fill a cell, those that move are round; what lies on top is smaller.

const kindHue = data.kinds.map((kind, place) => kind === "wall" ? "#5b6675" : PALETTE[place % PALETTE.length]);
const moves = data.kinds.map(kind => data.movers.includes(kind));
const CELL = 10;

function shape(x, y, inset, isRound) {
  const size = CELL - 2 * inset;
  if (!isRound) return `M${x + inset} ${y + inset}h${size}v${size}h${-size}z`;
  const r = size / 2;
  return `M${x + inset} ${y + CELL / 2}a${r} ${r} 0 1 0 ${size} 0a${r} ${r} 0 1 0 ${-size} 0z`;
}

// The cells of a grid, and an outline around those that are marked.
function drawn(cells, { marked = () => false, label = "", size = null } = {}) {
  const high = cells.length, wide = cells[0].length, layers = new Map();
  let edge = "", marks = "", lines = "";
  cells.forEach((row, y) => row.forEach((tile, x) => {
    const left = x * CELL, top = y * CELL;
    if (tile === 0) edge += shape(left, top, 0, false);
    data.tiles[tile].kinds.forEach((kind, depth) => {
      const inset = moves[kind] ? 0.8 + 1.1 * depth : Math.min(3.5, 0.35 + 1.7 * depth);
      const key = `${depth}-${kind}`, [right, down] = data.tiles[tile].shifts?.[depth] || [0, 0];
      const path = shape(left + right / 100 * CELL, top + down / 100 * CELL, inset, moves[kind]);
      layers.set(key, (layers.get(key) || "") + path);
    });
    if (marked(y, x)) marks += shape(left, top, 0.4, false);
  }));
  for (let x = 0; x <= wide; x += 1) lines += `M${x * CELL} 0V${high * CELL}`;
  for (let y = 0; y <= high; y += 1) lines += `M0 ${y * CELL}H${wide * CELL}`;
  return s("svg", { class: "tiles", viewBox: `-1 -1 ${wide * CELL + 2} ${high * CELL + 2}`, role: "img", "aria-label": label, style: size && `width: ${size}px` },
    s("rect", { width: wide * CELL, height: high * CELL, rx: 1.5, class: "ground" }),
    s("path", { d: edge, class: "edge" }), s("path", { d: lines, class: "mesh" }),
    [...layers].sort(([a], [b]) => a.localeCompare(b, "en", { numeric: true }))
      .map(([key, d]) => s("path", { d, fill: kindHue[Number(key.split("-")[1])] })),
    s("path", { d: marks, class: "mark" }));
}
const tileDrawn = (tile, size = 26) => drawn([[tile]], { label: data.tiles[tile].name, size });

function keyOfTiles() {
  const isCentred = tile => !data.tiles[tile].shifts?.flat().some(Boolean);
  const used = [...new Set(data.strips.flat().flatMap(frame => frame.came.flat()))].filter(isCentred).sort((a, b) => a - b);
  return h("ul", { class: "key" }, used.map(tile => h("li", {}, tileDrawn(tile, 20), data.tiles[tile].name)));
}

// Accuracy

function shares() {
  const rows = SHARES.map(([name, words, note]) => ({
    name: words, value: data.accuracy[name], low: 0, high: data.accuracy[name],
    tip: [words, note, `${(100 * data.accuracy[name]).toFixed(2)} %`],
  }));
  return dots(rows, { low: 0, high: 1, form: percent, tick: whole, label: "accuracy" });
}

function growth() {
  const places = data.curve.map(one => one.transitions);
  const lines = SHARES
    .map(([name, words]) => ({ name: words, values: data.curve.map(one => one[name]) }));
  return curves(places, lines, { label: "accuracy after so many transitions", axis: "transitions learned from", form: percent, tick: whole, least: 0, most: 1, at: place => `after ${several(places[place], "transition")}` });
}

function reliability() {
  const width = 520, height = 336, left = 52, right = 28, bottom = 46;
  const x = scale(0, 1, left, width - right), y = scale(0, 1, height - bottom, 12);
  const most = Math.max(...data.calibration.map(one => one.count));
  return plot(width, height, "confidence against truth",
    [0, 0.25, 0.5, 0.75, 1].map(at => [line(left, y(at), width - right, y(at), { class: "grid" }),
      text(left - 8, y(at) + 4, whole(at), { class: "soft", "text-anchor": "end" }),
      text(x(at), height - 27, whole(at), { class: "soft", "text-anchor": "middle" })]),
    line(x(0), y(0), x(1), y(1), { class: "limit" }),
    text((left + width - right) / 2, height - 8, "how sure the model was of the whole state", { class: "soft", "text-anchor": "middle" }),
    data.calibration.map(one => s("g", { tip: [several(one.count, "forecast"), `sure to ${percent(one.confidence)} on average`, `${percent(one.right)} came true`] },
      line(x(one.confidence), y(one.confidence), x(one.confidence), y(one.right), { class: "axis", opacity: 0.6 }),
      s("circle", { cx: x(one.confidence), cy: y(one.right), r: 5 + 11 * Math.sqrt(one.count / most), fill: "var(--accent)", opacity: 0.75 }))));
}

// Errors

function confusionMap() {
  if (!data.confusions.length) return h("p", { class: "verdict" }, "Nothing changed, and nothing was predicted to.");
  const { pairs } = data.confusions[chosen.confusion];
  const names = [...new Set(pairs.flatMap(([came, said]) => [came, said]))].sort();
  const times = new Map(pairs.map(([came, said, count]) => [`${came}\n${said}`, count]));
  const totals = new Map(names.map(came => [came, names.reduce((sum, said) => sum + (times.get(`${came}\n${said}`) || 0), 0)]));
  return heat(names, names.filter(name => totals.get(name)), (row, column) => {
    const count = times.get(`${row}\n${column}`) || 0;
    const share = count / totals.get(row), isRight = row === column;
    if (!count) return { words: "", fill: "var(--faint)", tip: [`${row} came, ${column} was said`, "never"] };
    const strength = Math.round(18 + 70 * share);
    return {
      words: count.toLocaleString("en"), bold: isRight, ink: "",
      fill: `color-mix(in oklab, var(${isRight ? "--good" : "--bad"}) ${Math.round(strength * 0.6)}%, var(--card))`,
      tip: [`${row} came, ${column} was said`, several(count, "time"), `${percent(share)} of all times that ${row} came`],
    };
  }, "what came and what was said", 520);
}

// What was said, or what came: of a cell a tile, of a thing words.
const isTile = told => typeof told === "number";
const inWords = told => isTile(told) ? data.tiles[told].name : told;
const outcome = told => isTile(told) ? tileDrawn(told) : h("q", {}, told);

function patterns() {
  if (!data.errors.length) return h("p", { class: "verdict" }, `Not one ${data.noun} was wrong.`);
  const middle = (data.errors[0].around.length - 1) / 2;
  return h("div", { class: "patterns" }, data.errors.map(one => h("figure", {
    tip: [`${several(one.times, "time")}, ${percent(one.times / data.wrong)} of all wrong ${data.noun}s`,
      `what was said of ${one.thing || "the cell"} in the middle, after ${one.verb}: ${inWords(one.said)}`, `what came: ${inWords(one.came)}`],
  },
    drawn(one.around, { marked: (y, x) => y === middle && x === middle, label: "a neighbourhood", size: 96 }),
    h("figcaption", {}, h("b", {}, one.thing ? `${one.thing}, ${one.verb}` : one.verb), h("span", { class: "becomes" },
      outcome(one.said), h("s", {}, "said"), outcome(one.came), h("i", {}, "came")),
      h("small", {}, `${one.times} ×`)))));
}

// Rules

function chapter() {
  const found = data.chapters[chosen.chapter];
  const shown = chosen.whole ? found.rules : found.rules.slice(0, FEW);
  return h("div", {}, h("p", { class: "note" }, found.note), shown.length > 0 &&
    h("div", { class: "scroll" }, h("table", { class: "rules" },
      h("thead", {}, h("tr", {}, h("th", {}, "where"), h("th", {}, "then"), h("th", { class: "number" }, "times"), h("th", { class: "number" }, "true"))),
      h("tbody", {}, shown.map(rule => h("tr", {},
        h("td", {}, rule.when.length ? h("ul", { class: "chips" }, rule.when.map(one => h("li", {}, one))) : "always"),
        h("td", { class: "strong" }, rule.then), h("td", { class: "number" }, rule.times.toLocaleString("en")),
        h("td", { class: "number" }, percent(rule.right))))))),
  found.rules.length > FEW && h("p", { class: "note" }, h("button", { class: "small", onclick: () => { chosen.whole = !chosen.whole; draw(); } },
    chosen.whole ? "fewer" : `all ${several(found.rules.length, "rule")}`)));
}

// Film strip

function filmStrip() {
  const frames = data.strips[chosen.strip];
  const differs = (grid, came) => (y, x) => grid[y][x] !== came[y][x];
  const wrong = (grid, came) => grid.flat().filter((tile, place) => tile !== came.flat()[place]).length;
  const cells = name => frames.map((frame, place) => h("td", {},
    name === "came" || place ? [drawn(frame[name], { marked: name === "came" ? undefined : differs(frame[name], frame.came), label: `${name}, frame ${place}` }),
      name !== "came" && h("small", {}, wrong(frame[name], frame.came) ? several(wrong(frame[name], frame.came), "wrong cell") : "right")] : null));
  return h("div", { class: "scroll" }, h("table", { class: "strip" },
    h("thead", {}, h("tr", {}, h("th", {}, ""), frames.map((frame, place) => h("th", {}, place ? frame.verb : "begins")))),
    h("tbody", {},
      h("tr", {}, h("th", {}, "real"), cells("came")),
      h("tr", {}, h("th", {}, "predicted from the real frame before"), cells("said")),
      h("tr", {}, h("th", {}, "imagined from the first frame on"), cells("imagined")))));
}

// The page

function header() {
  document.getElementById("top").replaceChildren(
    h("h1", {}, data.model),
    h("p", { class: "lead" }, `A learned model, put to the test on ${several(data.steps, "new random step")} of ${data.world}.`),
    h("ul", { class: "chips" },
      h("li", {}, h("b", {}, data.transitions.toLocaleString("en")), " transitions learned from"),
      "tiles" in data.told ? h("li", {}, h("b", {}, data.told.tiles), " sorts of cells") : h("li", {}, h("b", {}, data.told.kinds), " kinds of things"),
      h("li", {}, h("b", {}, percent(data.accuracy[`changed_${data.noun}s`])), ` of ${data.noun}s that change are right`),
      h("li", {}, "confidence is ", h("b", {}, data.accuracy.calibration_error.toFixed(3)), " from the truth"),
      h("li", {}, `ludex ${data.ludex}`)));
}

function footer() {
  document.getElementById("foot").replaceChildren(h("p", {}, "The same page again: ",
    h("code", {}, `ludex model show ${data.file} --world "${data.world}" --steps ${data.steps} --seed ${data.seed}`)));
}

function sections() {
  return [
    card("accuracy", "Accuracy", `One step ahead of what really happened, and five, in ${several(data.steps, "random step")} it had not seen.`, shares()),
    card("growth", "How accuracy grew", "A pupil with the same parameters that learns the same world from nothing.", growth()),
    card("strip", "Film strip", "Outlined cells are wrong.", [keyOfTiles(), filmStrip()],
      choice([[0, "where most happens"], [1, "where it errs most"]], chosen.strip, value => { chosen.strip = value; })),
    card("errors", "Most frequent errors", `What lay around a ${data.noun} that was predicted wrongly; ${several(data.wrong, `wrong ${data.noun}`)} in all.`, patterns()),
    h("div", { class: "columns" },
      card("confusion", `Confusion of ${data.noun}s`, `Of ${data.noun}s that change or are predicted to: rows are what came, columns what was said.`, confusionMap(),
        data.confusions.length > 1 && choice(data.confusions.map((one, place) => [place, one.title]), chosen.confusion, value => { chosen.confusion = value; })),
      card("calibration", "Confidence and truth", "On the dashed line a model is as often right as it is sure; the larger a dot, the more forecasts.", reliability())),
    card("rules", "What it holds to be true", null, chapter(),
      choice(data.chapters.map((one, place) => [place, one.title]), chosen.chapter, value => { chosen.chapter = value; })),
  ];
}

header();
draw();
footer();
document.documentElement.dataset.drawn = "yes";
