"use strict";

// What pages are built of. Everything is drawn from one JSON document; a choice draws it again.

const data = JSON.parse(document.getElementById("data").textContent);
const PALETTE = ["#3b76d4", "#e08214", "#1b9e77", "#c94fa0", "#7a5cc7", "#b8a200", "#d1483f",
  "#2ba3b8", "#6b8e23", "#8c6048", "#52667a", "#e377a2", "#0b5d8c", "#a83279", "#4c9f38", "#d9a441",
  "#9467bd", "#17807e", "#b3541e", "#7f7f00"];
const colour = name => PALETTE[Math.max(0, everybody.indexOf(name)) % PALETTE.length];

// Building blocks

function build(space, tag, attributes, children) {
  const node = space ? document.createElementNS(space, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "tip") hint(node, value);
    else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(3)) {
    if (child !== null && child !== undefined && child !== false) node.append(child);
  }
  return node;
}
const h = (tag, attributes = {}, ...children) => build(null, tag, attributes, children);
const s = (tag, attributes = {}, ...children) =>
  build("http://www.w3.org/2000/svg", tag, attributes, children);
const text = (x, y, words, more = {}) => s("text", { x, y, ...more }, String(words));
const line = (x1, y1, x2, y2, more = {}) => s("line", { x1, y1, x2, y2, ...more });

const tip = document.getElementById("tip");
function hint(node, lines) {
  const show = event => {
    tip.replaceChildren(...lines.filter(Boolean).map((one, place) =>
      h("div", {}, place ? one : h("b", {}, one))));
    tip.hidden = false;
    const box = tip.getBoundingClientRect();
    const x = Math.min(event.clientX + 14, window.innerWidth - box.width - 8);
    const below = event.clientY + 18 + box.height < window.innerHeight;
    tip.style.left = `${Math.max(8, x)}px`;
    tip.style.top = `${below ? event.clientY + 18 : event.clientY - box.height - 12}px`;
  };
  node.addEventListener("pointermove", show);
  node.addEventListener("pointerleave", () => { tip.hidden = true; });
}

const percent = share => `${(100 * share).toFixed(share > 0 && share < 1 ? 1 : 0)} %`;
const whole = share => `${Math.round(100 * share)} %`;
const short = (words, most) => words.length > most ? `${words.slice(0, most - 1)}…` : words;
const several = (number, noun, plural = `${noun}s`) =>
  `${number.toLocaleString("en")} ${number === 1 ? noun : plural}`;
function number(value, digits = 3) {
  if (value === null || value === undefined) return "–";
  if (value !== 0 && (Math.abs(value) >= 1e6 || Math.abs(value) < 1e-3)) {
    return value.toExponential(1);
  }
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString("en");
  return String(Number(value.toPrecision(digits)));
}
const p_value = p => p < 0.0001 ? "p < 0.0001" : `p = ${Number(p.toPrecision(2))}`;
const range = (low, high, form) => `${form(low)} to ${form(high)}`;
const mixed = share => `color-mix(in oklab, var(--accent) ${Math.round(100 * share)}%, var(--card))`;
const onMixed = share => share > 0.55 ? "fill: var(--on-accent)" : "";

function ticks(low, high, wanted = 6) {
  const span = high - low || 1;
  const rough = span / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map(one => one * power).find(one => one >= rough);
  const found = [];
  for (let at = Math.ceil(low / step) * step; at <= high + step * 1e-6; at += step) {
    found.push(Math.abs(at) < step * 1e-6 ? 0 : at);
  }
  return found;
}
const scale = (low, high, from, to) => value =>
  from + (to - from) * (value - low) / (high - low || 1);
const labelWidth = names =>
  Math.min(270, 14 + 6.9 * Math.max(4, ...names.map(name => Math.min(38, name.length))));
const plot = (width, height, label, ...children) =>
  s("svg", { class: "plot", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label },
    ...children);

function card(id, title, note, body, tools = null) {
  return h("section", { class: "card", id },
    h("div", { class: "head" }, h("h2", {}, title), tools && h("div", { class: "tools" }, tools)),
    note && h("p", { class: "note" }, note), body);
}
function choice(options, current, choose) {
  return h("div", { class: "choice", role: "group" }, options.map(([value, label]) =>
    h("button", { "aria-pressed": String(value === current), onclick: () => { choose(value); draw(); } },
      label)));
}
function select(options, current, choose, label) {
  const node = h("select", { "aria-label": label, onchange: () => { choose(node.value); draw(); } },
    options.map(([value, words]) =>
      h("option", { value, selected: String(value) === String(current) }, words)));
  return node;
}
const dot = name => h("span", { class: "dot", style: `background: ${colour(name)}` });

// Dots with intervals

function dots(rows, { low, high, form, label, middle, tick = form }) {
  const left = labelWidth(rows.map(row => row.name)), right = 92, width = 1040, step = 30;
  const height = rows.length * step + 34;
  const x = scale(low, high, left, width - right);
  return plot(width, height, label,
    ticks(low, high, 8).map(at => [
      line(x(at), 4, x(at), height - 26, { class: "grid" }),
      text(x(at), height - 9, tick(at), { class: "soft", "text-anchor": "middle" })]),
    middle !== undefined && line(x(middle), 4, x(middle), height - 26, { class: "axis" }),
    rows.map((row, place) => {
      const y = 4 + step * (place + 0.5), hue = colour(row.name);
      return s("g", { class: "row", tip: row.tip },
        s("rect", { class: "hit", x: 0, y: y - step / 2, width, height: step, rx: 6 }),
        text(left - 12, y + 4, short(row.name, 38), { "text-anchor": "end" }),
        line(x(row.low), y, x(row.high), y, { stroke: hue, "stroke-width": 5, "stroke-linecap": "round", opacity: 0.35 }),
        s("circle", { cx: x(row.value), cy: y, r: 6, fill: hue }),
        text(width - right + 16, y + 4, form(row.value), { class: "strong" }));
    }));
}

// Heat maps

const LINE = 17;  // from one line of text to the next, where they are close

function heat(columns, rows, cell, label, width = 1040) {
  const left = labelWidth(rows.map(String));
  const fair = Math.min(170, (width - left) / columns.length);
  const slanted = columns.some(name => 6.9 * name.length > fair - 6);
  const wide = Math.max(LINE, Math.min(170, (width - left - (slanted ? 70 : 0)) / columns.length)), tall = 27;
  // Names of narrow columns stand the steeper, so that lines are never closer than letters are high.
  const turn = slanted ? Math.max(32, Math.asin(Math.min(1, LINE / wide)) * 180 / Math.PI) : 0;
  const reach = 7.2 * Math.max(...columns.map(name => Math.min(30, name.length))), angle = turn * Math.PI / 180;
  const top = slanted ? 18 + reach * Math.sin(angle) + 12 * Math.cos(angle) : 28;
  const height = top + rows.length * tall + 6;
  const full = Math.max(width, left + wide * (columns.length - 0.5) + (slanted ? 10 + reach * Math.cos(angle) : 0));
  return plot(full, height, label,
    columns.map((name, place) => {
      const x = left + wide * (place + 0.5) + (turn > 45 ? 4 : -4), y = top - 9;
      return slanted
        ? text(x, y, short(name, 30), { transform: `rotate(${-turn} ${x} ${y})` })
        : text(left + wide * (place + 0.5), y, name, { "text-anchor": "middle" });
    }),
    rows.map((row, at) => [
      text(left - 10, top + tall * (at + 0.5) + 4, short(String(row), 38), { "text-anchor": "end" }),
      columns.map((column, place) => {
        const found = cell(row, column);
        if (!found) return null;
        return s("g", { tip: found.tip, onclick: found.go, style: found.go && "cursor: pointer" },
          s("rect", { x: left + wide * place + 1, y: top + tall * at + 1, width: wide - 2, height: tall - 2, rx: 4, style: `fill: ${found.fill}` }),
          7.2 * String(found.words).length < wide && text(left + wide * (place + 0.5), top + tall * (at + 0.5) + 4, found.words, { "text-anchor": "middle", style: found.ink, class: found.bold && "strong" }));
      })]));
}

// Curves

// Values over places on an axis, with a band from low to high where a line has one.
function curves(places, all, { label, axis, at, form = number, tick = form, least, most }) {
  const lines = all.filter(one => !chosen.hidden.has(one.name));
  const shown = lines.length ? lines : all;
  const width = 1040, height = 338, left = 62, right = 26, bottom = 42;
  const every = key => shown.flatMap(one => one[key] || one.values);
  const low = least ?? Math.min(...every("low"), ...every("values"));
  const high = most ?? Math.max(...every("high"), ...every("values"));
  const last = places[places.length - 1];
  const x = scale(0, last, left, width - right);
  const y = scale(low, high === low ? low + 1 : high, height - bottom, 10);
  const path = values => values.map((value, place) => `${place ? "L" : "M"}${x(places[place]).toFixed(1)} ${y(value).toFixed(1)}`).join("");
  const back = values => path(values).split(/(?=[ML])/).reverse().map(part => `L${part.slice(1)}`).join("");
  const cursor = line(0, 10, 0, height - bottom, { class: "axis", visibility: "hidden" });
  const field = s("rect", { x: left, y: 10, width: width - left - right, height: height - bottom - 10, fill: "transparent" });
  const chart = plot(width, height, label,
    ticks(low, high, 5).map(value => [line(left, y(value), width - right, y(value), { class: "grid" }),
      text(left - 8, y(value) + 4, tick(value), { class: "soft", "text-anchor": "end" })]),
    ticks(0, last, 8).map(value =>
      text(x(value), height - 24, number(value), { class: "soft", "text-anchor": "middle" })),
    text(width - right, height - 6, axis, { class: "soft", "text-anchor": "end" }),
    lines.filter(one => one.low).map(one => s("path", { d: `${path(one.high)}${back(one.low)}Z`, fill: colour(one.name), opacity: 0.1 })),
    lines.map(one => s("path", { d: path(one.values), fill: "none", stroke: colour(one.name), "stroke-width": 2.4, "stroke-linejoin": "round" })),
    cursor, field);
  field.addEventListener("pointermove", event => {
    const box = chart.getBoundingClientRect();
    const here = (event.clientX - box.left) * width / box.width;
    const gaps = places.map(one => Math.abs(x(one) - here));
    const place = gaps.indexOf(Math.min(...gaps));
    cursor.setAttribute("x1", x(places[place]));
    cursor.setAttribute("x2", x(places[place]));
    cursor.setAttribute("visibility", "visible");
    const rows = [...lines].sort((a, b) => b.values[place] - a.values[place])
      .map(one => h("div", {}, dot(one.name), `${one.name}: ${form(one.values[place])}`));
    tip.replaceChildren(h("b", {}, at(place)), ...rows);
    tip.hidden = false;
    const wide = tip.getBoundingClientRect().width;
    tip.style.left = `${event.clientX + 18 + wide < window.innerWidth ? event.clientX + 18 : event.clientX - wide - 18}px`;
    tip.style.top = `${event.clientY + 12}px`;
  });
  field.addEventListener("pointerleave", () => { tip.hidden = true; cursor.setAttribute("visibility", "hidden"); });
  return h("div", {},
    h("div", { class: "legend" }, all.map(one => h("button", {
      "aria-pressed": String(!chosen.hidden.has(one.name)),
      onclick: () => {
        if (!chosen.hidden.delete(one.name)) chosen.hidden.add(one.name);
        draw();
      },
    }, dot(one.name), one.name))), chart);
}

// The page: a script that is made of these blocks has `chosen`, `everybody` in the order of their
// colours, `sections` and `controls` for the bar.

function bar(parts) {
  const links = parts.flatMap(part => part.id ? [part] : [...part.querySelectorAll("section")])
    .map(part => h("a", { href: `#${part.id}` }, part.querySelector("h2").textContent));
  document.getElementById("bar").replaceChildren(h("div", {}, controls(), links));
}

function draw() {
  tip.hidden = true;
  const parts = sections();
  document.getElementById("main").replaceChildren(...parts);
  bar(parts);
}
