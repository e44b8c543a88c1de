// The report of a study.

const everybody = [...data.agents.map(one => one.name), ...data.opponents];
const chosen = {
  budget: data.budgets.length - 1, rates: "", map: "win_rate", rating: "elo", course: 0,
  use: "", over: "", hidden: new Set(), sort: ["place", 1],
  matches: { text: "", agent: "", game: "", page: 0 },
};

// Ranking

function verdict(budget) {
  const [first, second] = budget.agents;
  if (!second) return `${first.agent} won ${percent(first.win_rate)} of its matches.`;
  const lead = data.pairing === "glicko" ? "the highest rating" : several(first.points, "point");
  const words = `${first.agent} leads with ${lead} and wins in ${percent(first.win_rate)} of its matches`;
  const other = `${second.agent} (${percent(second.win_rate)})`;
  if (first.interval[0] > second.interval[1]) {
    return `${words}, more than ${other}, who follows: their intervals do not overlap.`;
  }
  if (second.interval[0] > first.interval[1]) {
    return `${words}, although ${other}, who follows, wins more often.`;
  }
  return `${words}; ${other} follows. Their intervals overlap, so who wins more is undecided.`;
}

function ranking(budget) {
  const columns = [
    ["place", "", one => one.place], ["agent", "agent", one => one.agent],
    ["points", "points", one => one.points],
    ["win_rate", "wins", one => percent(one.win_rate)],
    ["interval", "95 % interval", one => range(...one.interval, value => (100 * value).toFixed(0))],
    ["score", "mean score", one => number(one.score)],
    ["prediction_points", "points (2nd rule)", one => one.prediction_points],
    ["matches", "matches", one => one.matches], ["ticks", "ticks", one => number(one.ticks)],
    ["faults", "faults", one => one.faults || ""], ["late", "late", one => one.late || ""],
  ];
  const [key, way] = chosen.sort;
  const value = one => Array.isArray(one[key]) ? one[key][0] : one[key];
  const rows = [...budget.agents].sort((a, b) =>
    way * (value(a) < value(b) ? -1 : value(a) > value(b) ? 1 : 0));
  const shown = columns.filter(([name]) => !["faults", "late"].includes(name) ||
    budget.agents.some(one => one[name]));
  return h("div", { class: "scroll" }, h("table", {},
    h("thead", {}, h("tr", {}, shown.map(([name, label]) => h("th", {
      class: `sortable${name === "agent" ? "" : " number"}`,
      onclick: () => {
        const down = !["place", "agent"].includes(name);
        chosen.sort = [name, chosen.sort[0] === name ? -chosen.sort[1] : down ? -1 : 1];
        draw();
      },
    }, label || "#", chosen.sort[0] === name ? (chosen.sort[1] > 0 ? " ▴" : " ▾") : "")))),
    h("tbody", {}, rows.map(one => h("tr", {}, shown.map(([name, , form]) => h("td", {
      class: `${name === "agent" ? "strong" : "number"}${name === "place" && one.place === 1 ? " place1" : ""}`,
    }, name === "agent" ? dot(one.agent) : "", form(one))))))));
}

// Dots with intervals

function winRates(budget) {
  const game = budget.games.find(one => one.game === chosen.rates);
  const cells = game
    ? Object.entries(game.agents).map(([agent, one]) => ({ agent, ...one }))
    : budget.agents;
  const rows = [...cells].sort((a, b) => b.win_rate - a.win_rate).map(one => ({
    name: one.agent, value: one.win_rate, low: one.interval[0], high: one.interval[1],
    tip: [one.agent, `${one.wins} wins${one.ties ? `, ${several(one.ties, "tie")}` : ""} in ${several(one.matches, "match", "matches")}`,
      `${percent(one.win_rate)}, 95 % Wilson interval ${range(...one.interval, percent)}`],
  }));
  return dots(rows, { low: 0, high: 1, form: percent, tick: whole, label: "win rates with intervals" });
}

function ratings(budget) {
  const isElo = chosen.rating === "elo", field = isElo ? "elo_interval" : "glicko_interval";
  const rows = [...budget.ratings.agents].sort((a, b) => b[chosen.rating] - a[chosen.rating])
    .map(one => ({
      name: one.agent, value: one[chosen.rating], low: one[field][0], high: one[field][1],
      tip: [one.agent, `Bradley-Terry ${number(one.elo)} Elo, 95 % ${range(...one.elo_interval, number)}`,
        `Glicko-2 ${number(one.glicko, 4)}, deviation ${number(one.deviation)}, volatility ${number(one.volatility)}`],
    }));
  const low = Math.min(...rows.map(row => row.low)), high = Math.max(...rows.map(row => row.high));
  const form = value => isElo && value > 0 ? `+${Math.round(value)}` : String(Math.round(value));
  return dots(rows, { low, high, form, label: "ratings", middle: isElo ? 0 : 1500 });
}

// Places and critical differences: side by side, or below each other for a crowd of agents

const CROWD = 14;
const isCrowd = budget => budget.agents.length > CROWD;
const widthOf = budget => isCrowd(budget) ? 1060 : 520;

function placesPlot(budget) {
  const games = budget.games.length, names = budget.agents.map(one => one.agent);
  const left = labelWidth(names), width = widthOf(budget), right = 64, step = 28;
  const last = Math.max(1, ...budget.agents.flatMap(one => Object.values(one.places).map(p => p || 0)));
  const x = scale(0, games, left, width - right), height = names.length * step + 30;
  const shades = Math.min(last, 10);  // of the legend
  return plot(width, height, "ranks by agent",
    budget.agents.map((one, row) => {
      let from = 0;
      const y = row * step + 4;
      const parts = [];
      for (let place = 1; place <= last; place += 1) {
        const here = Object.entries(one.places).filter(([, found]) => found === place);
        if (!here.length) continue;
        const share = last === 1 ? 1 : 1 - 0.88 * (place - 1) / (last - 1);
        parts.push(s("g", { tip: [`${one.agent}: rank ${place}`, `${several(here.length, "game")}: ${short(here.map(([game]) => game).join(", "), 160)}`] },
          s("rect", { x: x(from) + 1, y, width: Math.max(1, x(from + here.length) - x(from) - 2), height: step - 8, rx: 4, style: `fill: ${mixed(share)}` }),
          x(here.length) - x(0) > 15 && text((x(from) + x(from + here.length)) / 2, y + 14, here.length, { "text-anchor": "middle", style: onMixed(share) })));
        from += here.length;
      }
      return [text(left - 12, y + 14, short(one.agent, 38), { "text-anchor": "end" }), parts,
        text(width - right + 10, y + 14, `${one.points} p.`, { class: "strong" })];
    }),
    s("g", {}, text(left, height - 6, "first", { class: "soft" }),
      Array.from({ length: shades }, (_, place) => s("rect", { x: left + 34 + 16 * place, y: height - 16, width: 13, height: 11, rx: 3, style: `fill: ${mixed(shades === 1 ? 1 : 1 - 0.88 * place / (shades - 1))}` })),
      text(left + 40 + 16 * shades, height - 6, "last", { class: "soft" })));
}

function differences(budget) {
  const found = budget.differences;
  if (found.reason) return h("p", { class: "note" }, `Not tested: ${found.reason}.`);
  const order = found.agents.map((agent, place) => ({ agent, rank: found.mean_ranks[place] }))
    .sort((a, b) => a.rank - b.rank);
  const many = order.length, half = Math.ceil(many / 2), width = widthOf(budget), top = 58, step = 21;
  const side = Math.min(165, 34 + 6.3 * Math.max(...order.map(one => Math.min(20, one.agent.length))));
  const x = scale(1, many, side, width - side);
  const cliques = found.cliques.map(group => group.map(agent => order.find(one => one.agent === agent).rank));
  const below = top + 12 + 9 * cliques.length;
  const height = below + step * half + 14;
  const bar = x(1 + Math.min(found.critical_difference, many - 1));
  return plot(width, height, "critical-difference diagram",
    line(x(1), top, x(many), top, { class: "axis" }),
    Array.from({ length: many }, (_, place) => [
      line(x(place + 1), top - 5, x(place + 1), top, { class: "axis" }),
      (many < 12 || place % 2 === 0) && text(x(place + 1), top - 9, place + 1, { "text-anchor": "middle", class: "soft" })]),
    s("g", { tip: ["critical difference", `mean ranks further apart than ${found.critical_difference.toFixed(2)} differ at the 5 % level (Nemenyi)`] },
      s("rect", { x: x(1), y: 6, width: bar - x(1), height: 22, fill: "transparent" }),
      line(x(1), 22, bar, 22, { stroke: "var(--bad)", "stroke-width": 3 }),
      line(x(1), 17, x(1), 27, { stroke: "var(--bad)", "stroke-width": 2 }),
      line(bar, 17, bar, 27, { stroke: "var(--bad)", "stroke-width": 2 }),
      text((x(1) + bar) / 2, 13, `CD = ${found.critical_difference.toFixed(2)}`, { "text-anchor": "middle" })),
    cliques.map((ranks, place) => line(x(Math.min(...ranks)) - 4, top + 10 + 9 * place, x(Math.max(...ranks)) + 4, top + 10 + 9 * place,
      { stroke: "var(--ink)", "stroke-width": 4, "stroke-linecap": "round", opacity: 0.75 })),
    order.map((one, place) => {
      const isLeft = place < half, level = isLeft ? place : many - 1 - place;
      const y = below + step * (level + 0.6), end = isLeft ? side - 8 : width - side + 8;
      const index = found.agents.indexOf(one.agent);
      const apart = found.agents.filter((_, other) => found.nemenyi[index][other] < found.alpha);
      return s("g", { class: "row", tip: [one.agent, `mean rank ${one.rank.toFixed(2)} over ${several(found.games, "game")}`,
        apart.length ? `differs from ${apart.join(", ")}` : "differs from nobody by this test"] },
        s("polyline", { points: `${x(one.rank)},${top} ${x(one.rank)},${y} ${end},${y}`, fill: "none", stroke: colour(one.agent), "stroke-width": 1.8 }),
        s("circle", { cx: x(one.rank), cy: top, r: 3.5, fill: colour(one.agent) }),
        text(isLeft ? end - 6 : end + 6, y + 4, `${short(one.agent, 20)}`, { "text-anchor": isLeft ? "end" : "start" }),
        text(isLeft ? end + 3 : end - 3, y - 3, one.rank.toFixed(2), { "text-anchor": isLeft ? "start" : "end", class: "soft", style: "font-size: 10px" }));
    }));
}

// Heat maps

function gameMap(budget) {
  const agents = budget.agents.map(one => one.agent);
  return heat(agents, budget.games.map(one => one.game), (name, agent) => {
    const game = budget.games.find(one => one.game === name), found = game.agents[agent];
    if (!found) return null;
    const scores = Object.values(game.agents).map(one => one.score);
    const span = Math.max(...scores) - Math.min(...scores);
    const share = chosen.map === "win_rate" ? found.win_rate
      : chosen.map === "score" ? (span ? (found.score - Math.min(...scores)) / span : 0.5)
      : agents.length > 1 ? 1 - (found.place - 1) / (agents.length - 1) : 1;
    const words = chosen.map === "win_rate" ? percent(found.win_rate)
      : chosen.map === "score" ? number(found.score) : found.place;
    return {
      words, fill: mixed(0.05 + 0.9 * share), ink: onMixed(0.05 + 0.9 * share), bold: found.place === 1,
      tip: [`${agent} in ${name}`, `rank ${found.place}`,
        `${found.wins} wins${found.ties ? `, ${several(found.ties, "tie")}` : ""} in ${several(found.matches, "match", "matches")}: ${percent(found.win_rate)} (${range(...found.interval, percent)})`,
        `mean score ${number(found.score)}, mean ticks ${number(found.ticks)}`,
        found.faults ? several(found.faults, "fault") : "", "click to list its matches"],
      go: () => {
        Object.assign(chosen.matches, { agent, game: name, text: "", page: 0 });
        draw();
        document.getElementById("matches").scrollIntoView();
      },
    };
  }, "results by game and agent");
}

function pairMap(budget) {
  const agents = budget.agents.map(one => one.agent);
  const pairs = budget.pairs.filter(one => one.over === chosen.over);
  return heat(agents, agents, (row, column) => {
    const found = pairs.find(one => one.agents.includes(row) && one.agents.includes(column) && row !== column);
    if (!found) return null;
    const effect = found.agents[0] === row ? found.effect : -found.effect;
    const hue = found.ahead === null ? "var(--faint)"
      : `color-mix(in oklab, var(${found.ahead === row ? "--good" : "--bad"}) 32%, var(--card))`;
    return {
      words: `${effect > 0 ? "+" : ""}${effect.toFixed(2)}`, fill: hue, ink: "", bold: found.ahead === row,
      tip: [`${row} against ${column}`, found.ahead ? `${found.ahead} is ahead` : "undecided",
        `${found.test} over ${found.number} (${found.over}): ${p_value(found.p)}, and ${p_value(found.p_holm)} after Holm's correction`,
        `effect ${effect.toFixed(3)} (${found.effect_name})`],
    };
  }, "pairwise comparisons");
}

// Cost and course

function boxes(budget) {
  const field = chosen.use, rows = budget.use, names = rows.map(one => one.agent);
  const left = labelWidth(names), right = 92, width = 1040, step = 30;
  const limit = rows[0].limits[field];
  const high = Math.max(limit || 0, ...rows.map(one => one[field].most ?? one[field].quartiles[4])) || 1;
  const height = rows.length * step + 34, x = scale(0, high * 1.02, left, width - right);
  return plot(width, height, "what a decision costs",
    ticks(0, high, 8).map(at => [line(x(at), 4, x(at), height - 26, { class: "grid" }),
      text(x(at), height - 9, number(at), { class: "soft", "text-anchor": "middle" })]),
    rows.map((one, place) => {
      const [least, q1, q2, q3, most] = one[field].quartiles, y = 4 + step * (place + 0.5), hue = colour(one.agent);
      const peak = one[field].most;
      return s("g", { class: "row", tip: [one.agent, `mean of a match: median ${number(q2)}, middle half ${range(q1, q3, number)}, all ${range(least, most, number)}`,
        peak !== undefined ? `largest of all decisions: ${number(peak)}` : "", limit ? `budget: ${number(limit)}` : ""] },
        s("rect", { class: "hit", x: 0, y: y - step / 2, width, height: step, rx: 6 }),
        text(left - 12, y + 4, short(one.agent, 38), { "text-anchor": "end" }),
        line(x(least), y, x(most), y, { stroke: hue, "stroke-width": 2 }),
        s("rect", { x: x(q1), y: y - 8, width: Math.max(2, x(q3) - x(q1)), height: 16, rx: 4, fill: hue, opacity: 0.45 }),
        line(x(q2), y - 8, x(q2), y + 8, { stroke: hue, "stroke-width": 3 }),
        peak !== undefined && s("path", { d: `M${x(peak)} ${y - 4}l4 4l-4 4l-4 -4z`, fill: "none", stroke: hue, "stroke-width": 1.5 }),
        text(width - right + 16, y + 4, number(one[field].mean), { class: "strong" }));
    }),
    limit && [line(x(limit), 0, x(limit), height - 26, { class: "limit" })]);
}

function courses(budget) {
  const found = budget.courses[Math.min(chosen.course, budget.courses.length - 1)];
  const lines = found.lines.map(one => ({ name: one.agent, values: one.mean, low: one.low, high: one.high }));
  return curves(found.ticks, lines, { label: "mean scores over time", axis: "ticks", at: place => `tick ${found.ticks[place]}` });
}

// Matches and films

const cinema = h("dialog", { id: "cinema" },
  h("form", { method: "dialog" }, h("button", { "aria-label": "close" }, "×")),
  h("h3"), h("img", { alt: "film of a match" }), h("p"));
document.body.append(cinema);
async function watch(match) {
  const bytes = Uint8Array.from(atob(data.films[match]), one => one.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const svg = await new Response(stream).text();
  const picture = cinema.querySelector("img");
  if (picture.src) URL.revokeObjectURL(picture.src);
  picture.src = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  const row = data.matches.find(one => one[0] === Number(match));
  cinema.querySelector("h3").textContent = row ? `Match ${match}: ${row[1]}, ${row[5].join(" v ")}` : `Match ${match}`;
  cinema.querySelector("p").replaceChildren(row ? `${row[9]}; ${several(row[8], "tick")}. ` : "", h("code", {}, command(match)));
  cinema.showModal();
}
const command = match => `ludex replay '${data.store}#${match}' --watch`;

function ending(row) {
  if (!row[6].length) return row[5].length > 1 ? "nobody won" : "not won";
  return row[5].length > 1 ? `${row[6].map(seat => row[5][seat]).join(", ")} won` : "won";
}

function films() {
  const rows = Object.keys(data.films).map(match => data.matches.find(one => one[0] === Number(match))).filter(Boolean);
  return h("div", { class: "films" }, rows.map(row => h("button", { onclick: () => watch(row[0]) },
    `▶ ${row[1]}`, h("small", {}, `${row[5].join(" v ")}: ${ending(row)}, score ${row[7].map(one => number(one)).join(" : ")}`))));
}

function matches(budget) {
  const state = chosen.matches, per = 12;
  const words = state.text.toLowerCase();
  const rows = data.matches.filter(row => row[3] === budget.budget && (!state.game || row[1] === state.game) &&
    (!state.agent || row[5].includes(state.agent)) &&
    (!words || `${row[0]} ${row[1]} ${row[5].join(" ")} ${row[9]}`.toLowerCase().includes(words)));
  const pages = Math.max(1, Math.ceil(rows.length / per));
  state.page = Math.min(state.page, pages - 1);
  const here = rows.slice(state.page * per, (state.page + 1) * per);
  const head = [["match", 1], ["game", 0], ["level", 1], ["agents", 0], ["won by", 0], ["score", 1], ["ticks", 1], ["how it ended", 0], ["replay", 0]];
  return h("div", {},
    h("div", { class: "scroll" }, h("table", {},
      h("thead", {}, h("tr", {}, head.map(([name, right]) => h("th", { class: right ? "number" : "" }, name)))),
      h("tbody", {}, here.map(row => h("tr", {},
        h("td", { class: "number" }, row[0]), h("td", {}, row[1]), h("td", { class: "number" }, row[2] ?? ""),
        h("td", {}, row[5].map((agent, seat) => [seat ? " v " : "", h("span", { style: row[6].includes(seat) ? "font-weight: 650" : "" }, agent)])),
        h("td", {}, row[6].length ? row[6].map(seat => row[5][seat]).join(", ") : "–"),
        h("td", { class: "number" }, row[7].map(one => number(one)).join(" : ")), h("td", { class: "number" }, row[8]),
        h("td", {}, short(row[9], 60), row[10] ? h("b", { style: "color: var(--warn)" }, ` ${several(row[10], "fault")}`) : ""),
        h("td", {}, data.films[row[0]] && [h("button", { class: "small", onclick: () => watch(row[0]) }, "▶ film"), " "],
          h("button", { class: "small", tip: [command(row[0]), "click to copy"], onclick: event => copy(command(row[0]), event.target) }, "copy command"))))))),
    h("p", { class: "note", style: "margin-top: .6rem" },
      h("button", { class: "small", disabled: !state.page, onclick: () => { state.page -= 1; draw(); } }, "‹ previous"), " ",
      h("button", { class: "small", disabled: state.page >= pages - 1, onclick: () => { state.page += 1; draw(); } }, "next ›"),
      ` page ${state.page + 1} of ${pages}, ${several(rows.length, "match", "matches")}`));
}
async function copy(words, button) {
  try {
    await navigator.clipboard.writeText(words);
    button.textContent = "copied";
  } catch {
    window.prompt("Copy this command:", words);
  }
}

function faultTable() {
  return h("div", { class: "scroll" }, h("table", {},
    h("thead", {}, h("tr", {}, ["agent", "budget", "kind", "times", "first in match", "message"].map(one => h("th", {}, one)))),
    h("tbody", {}, data.faults.map(one => h("tr", {}, h("td", { class: "strong" }, dot(one.agent), one.agent), h("td", {}, one.budget),
      h("td", {}, one.kind), h("td", {}, one.times), h("td", {}, `${one.match}, ${one.game}, tick ${one.tick}`), h("td", {}, short(one.message, 500), one.trace && h("details", {}, h("summary", {}, "traceback"), h("pre", {}, one.trace))))))));
}

// The page

function header() {
  const done = data.played === data.scheduled;
  document.getElementById("top").replaceChildren(
    h("h1", {}, data.study), data.about && h("p", { class: "lead" }, data.about),
    h("ul", { class: "chips" },
      h("li", {}, h("b", {}, data.played.toLocaleString("en")), done ? " matches" : ` of ${data.scheduled.toLocaleString("en")} matches so far`),
      ...[[data.agents.length, "agent"], [data.games.length, "game"]].map(
        ([number, noun]) => h("li", {}, h("b", {}, number), ` ${noun}${number === 1 ? "" : "s"}`)),
      h("li", {}, h("b", {}, data.budgets.map(one => one.budget).join(", ")), " per decision"),
      h("li", {}, `ludex ${data.versions.ludex}`),
      ...data.mixed.map(one => h("li", { class: "warn" }, `${several(one.matches, "match", "matches")} with other parts: ${one.what}`)),
      !data.repeatable && h("li", { class: "warn" }, "some matches depend on time: not exactly repeatable"),
      data.faults.length > 0 && h("li", { class: "warn" }, several(data.faults.reduce((sum, one) => sum + one.times, 0), "fault")),
      data.abandoned.length > 0 && h("li", { class: "bad" }, `${data.abandoned.length} could not be played`)));
}

function footer() {
  const runs = data.runs;
  document.getElementById("foot").replaceChildren(
    h("p", {}, `Made from ${data.store}: ${several(runs.length, "run")}, the first on ${(runs[0] || { began: "?" }).began}, the last on ${(runs[runs.length - 1] || { machine: "?" }).machine} with Python ${(runs[runs.length - 1] || { python: "?" }).python}. `,
      "Any match can be replayed: ", h("code", {}, command("N"))),
    h("details", {}, h("summary", {}, "agents, worlds and their versions"),
      h("div", { class: "scroll" }, h("table", {}, h("tbody", {},
        data.agents.map(one => h("tr", {}, h("td", {}, dot(one.name), one.name), h("td", {}, h("code", {}, one.agent)), h("td", {}, one.version))),
        data.games.map(one => h("tr", {}, h("td", {}, one.name), h("td", {}, h("code", {}, one.world)), h("td", {}, one.levels.length ? `levels ${one.levels.join(", ")}` : ""))))))),
    h("details", {}, h("summary", {}, "rules of the matches"),
      h("p", {}, Object.entries(data.rules).map(([name, value]) => h("span", {}, h("code", {}, `${name} = ${value}`), " ")))));
}

function sections() {
  const budget = data.budgets[chosen.budget];
  if (!budget) return [card("none", "Nothing is played yet", "The first matches will show here.", h("div"))];
  const overs = [...new Set(budget.pairs.map(one => one.over))];
  if (!overs.includes(chosen.over)) chosen.over = overs[0] || "";
  const limits = budget.use[0] ? budget.use[0].limits : {};
  if (!chosen.use) chosen.use = Object.keys(limits).find(name => limits[name]) || "cpu_ms";
  const games = budget.games.map(one => [one.game, one.game]);
  const found = budget.differences;
  return [
    card("ranking", "Ranking", null, [h("p", { class: "verdict" }, verdict(budget)), ranking(budget),
      h("p", { class: "note", style: "margin-top: .6rem" }, data.pairing === "glicko" ? "Agents are ordered by their Glicko-2 ratings, since they have not met equally often." : "In each game agents are ranked by wins, then mean score, then time (win fast, lose late); ranks earn 25, 18, 15, 12, 10, 8, 6, 4, 2, 1 points. The second rule rounds to two decimals and looks at the ticks of won, then of lost games.")]),
    card("rates", "Win rates", "Dots are measured rates, bars their 95 % Wilson intervals.", winRates(budget),
      select([["", "all games"], ...games], chosen.rates, value => { chosen.rates = value; }, "game")),
    h("div", { class: isCrowd(budget) ? "columns stacked" : "columns" },
      card("places", "Ranks", "How often each agent took each rank, and its points.", placesPlot(budget)),
      card("differences", "Critical differences", found.reason ? null : `Mean ranks over ${several(found.games, "game")}; Friedman's test gives ${p_value(found.p)}. By these ranks, pairs joined by a bar are undecided; pair by pair below, every match counts.`, differences(budget))),
    card("games", "Game by game", "Stronger colour is better; bold marks first ranks. Click a cell to list its matches.", gameMap(budget),
      choice([["win_rate", "win rate"], ["score", "mean score"], ["place", "rank"]], chosen.map, value => { chosen.map = value; })),
    budget.pairs.length > 0 && card("pairs", "Pair by pair", "Effect of the row's agent against the column's: green is ahead, red behind, grey undecided at the 5 % level after Holm's correction.", pairMap(budget),
      overs.length > 1 ? choice(overs.map(one => [one, one]), chosen.over, value => { chosen.over = value; }) : null),
    budget.ratings && card("ratings", "Ratings", `From matches against each other.${budget.ratings.is_bounded ? "" : " Somebody won or lost everything: half a win and half a loss against an average rival were added to keep Bradley-Terry strengths finite."}`, ratings(budget),
      choice([["elo", "Bradley-Terry (Elo)"], ["glicko", "Glicko-2"]], chosen.rating, value => { chosen.rating = value; })),
    budget.courses.length > 0 && card("courses", "Score over time", "Mean score of all matches at each tick, with the middle half of them shaded; a match that has ended keeps its last score.", courses(budget),
      select(budget.courses.map((one, place) => [place, one.game]), chosen.course, value => { chosen.course = Number(value); }, "game")),
    budget.use.length > 0 && card("cost", "Budget use", "Each match's mean per decision: the middle half as a box, the median as a line; a diamond marks the largest single decision, the dashed line the budget, and the number at the right is the mean.", boxes(budget),
      choice([["calls", "model calls"], ["iterations", "iterations"], ["cpu_ms", "CPU ms"], ["depth", "depth"]], chosen.use, value => { chosen.use = value; })),
    Object.keys(data.films).length > 0 && card("films", "Films", "The best agent's match in each game, a won one where there is any.", films()),
    card("matches", "Matches", null, matches(budget), [
      h("input", { type: "search", placeholder: "search", value: chosen.matches.text, "aria-label": "search", onchange: event => { chosen.matches.text = event.target.value; chosen.matches.page = 0; draw(); } }),
      select([["", "all agents"], ...everybody.map(one => [one, one])], chosen.matches.agent, value => { Object.assign(chosen.matches, { agent: value, page: 0 }); }, "agent"),
      select([["", "all games"], ...games], chosen.matches.game, value => { Object.assign(chosen.matches, { game: value, page: 0 }); }, "game")]),
    data.faults.length > 0 && card("faults", "Faults", null, faultTable()),
    data.abandoned.length > 0 && card("abandoned", "Not played", null, h("ul", {}, data.abandoned.slice(0, 20).map(one => h("li", {}, `match ${one.match}: ${one.reason}`)))),
  ].filter(Boolean);
}

const controls = () => data.budgets.length > 1 && choice(
  data.budgets.map((one, place) => [place, one.budget]), chosen.budget, value => { chosen.budget = value; chosen.use = ""; });

header();
draw();
footer();
document.documentElement.dataset.drawn = "yes";
