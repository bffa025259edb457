// What a reader can do with report.html: sort and filter its tables and lists, see long ones in parts, follow links into what is folded,
// and zoom into courses over time. All that is shown is in the page already; nothing is fetched and nothing is kept.
(() => {
"use strict";
const few = 200, many = 2000; // rows that are shown at first, and more of them at a time

const make = (tag, props = {}, ...children) => {
  const e = Object.assign(document.createElement(tag), props);
  e.append(...children);
  return e;
};

// ---- Filter: one choice for each axis, for everything that has coordinates.

const axes = JSON.parse(document.getElementById("axes").textContent) || [];
const chosen = axes.map(() => ""); // the place of the chosen case; "": all
let verdict = "";

const passes = (item) => {
  if (verdict && item.dataset.verdict && item.dataset.verdict !== verdict) return false;
  if (item.dataset.at === undefined || item.dataset.at === "") return true;
  const at = item.dataset.at.split(",");
  return chosen.every((c, i) => c === "" || !at[i] || at[i] === c); // what has no case on an axis stands for all of them
};

const filtering = () => verdict !== "" || chosen.some((c) => c !== "");

// ---- Lists: tables and lists whose items are hidden by the filter, or since they are many.

class List {
  constructor(element) {
    this.element = element;
    this.holder = element.tBodies ? element.tBodies[0] : element;
    this.items = [...this.holder.children];
    this.most = few;
    this.note = make("p", { className: "more" });
    this.note.setAttribute("role", "status");
    (element.closest(".box") || element).after(this.note);
    if (element.tHead) this.headings([...element.tHead.rows[0].cells]);
  }

  show() {
    let n = 0;
    for (const item of this.items) {
      const hide = !passes(item) || ++n > this.most;
      if (item.hidden !== hide) item.hidden = hide;
    }
    const shown = Math.min(n, this.most);
    this.note.replaceChildren();
    if (shown === this.items.length) return;
    this.note.append(`${shown} of ${this.items.length} shown`, n < this.items.length ? `; ${n} pass the filter` : "");
    if (n > shown) this.note.append(" ", make("button", { type: "button", textContent: `Show ${Math.min(many, n - shown)} more`, onclick: () => { this.most += many; this.show(); } }));
  }

  headings(cells) {
    cells.forEach((cell, column) => {
      const by = cell.dataset.by;
      if (by === "none" || this.items.length < 2) return;
      const button = make("button", { type: "button", className: "sort" }, ...cell.childNodes);
      button.addEventListener("click", () => {
        const up = cell.getAttribute("aria-sort") !== "ascending";
        cells.forEach((c) => c.removeAttribute("aria-sort"));
        cell.setAttribute("aria-sort", up ? "ascending" : "descending");
        this.sort(column, cell.dataset.axis, up);
      });
      cell.append(button);
    });
  }

  // sort orders by the number that a cell brings, by the place of its case, or by its text. What has none comes last either way.
  sort(column, axis, up) {
    const words = new Intl.Collator(undefined, { numeric: true });
    const keys = new Map(this.items.map((row) => {
      const cell = row.cells[column];
      if (axis !== undefined && row.dataset.at !== undefined && !row.classList.contains("baseline")) {
        const place = row.dataset.at.split(",")[axis];
        if (place) return [row, Number(place)];
      }
      if (cell && cell.dataset.v !== undefined) return [row, cell.dataset.v === "" ? null : Number(cell.dataset.v)];
      const text = cell ? cell.textContent.trim() : "";
      return [row, text === "" || text === "–" ? null : text];
    }));
    const compare = (a, b) => (typeof a === "number" && typeof b === "number" ? a - b : words.compare(String(a), String(b)));
    this.items.sort((r, s) => {
      const a = keys.get(r), b = keys.get(s);
      if (a === null || b === null) return (a === null) - (b === null);
      return up ? compare(a, b) : compare(b, a);
    });
    this.holder.append(...this.items);
    this.show();
  }
}

const lists = [...document.querySelectorAll(".rows")].map((e) => new List(e));
const figures = [...document.querySelectorAll("figure[data-at]")];

const showAll = () => {
  lists.forEach((l) => { l.most = few; l.show(); });
  figures.forEach((f) => { f.hidden = !passes(f); });
};

// The choice stands in the fragment of the address: #filter&drive=sas, so that it can be kept and sent.
const fromFragment = () => {
  const fragment = location.hash.slice(1);
  if (fragment !== "filter" && !fragment.startsWith("filter&")) return false;
  const params = new URLSearchParams(fragment.slice(7));
  axes.forEach((a, i) => {
    const k = a.cases.indexOf(params.get(a.name));
    chosen[i] = k < 0 ? "" : String(k);
  });
  verdict = params.get("kpi verdict") || "";
  return true;
};
const toFragment = () => {
  const params = new URLSearchParams();
  axes.forEach((a, i) => { if (chosen[i] !== "") params.set(a.name, a.cases[chosen[i]]); });
  if (verdict) params.set("kpi verdict", verdict);
  history.replaceState(null, "", filtering() ? "#filter&" + params : "#");
};

const selects = [];
const bar = make("details", { className: "filter" }, make("summary", { textContent: "Filter" }));
const picker = (name, options, current, set) => {
  const s = make("select", { name }, make("option", { value: "", textContent: "all" }), ...options.map(([value, text]) => make("option", { value, textContent: text })));
  s.addEventListener("change", () => { set(s.value); toFragment(); showAll(); mark(); });
  selects.push([s, current]);
  bar.append(make("label", {}, name, s));
};
const mark = () => {
  selects.forEach(([s, current]) => { s.value = current(); });
  bar.classList.toggle("on", filtering());
};
const verdicts = new Set([...document.querySelectorAll("tr[data-verdict]")].map((r) => r.dataset.verdict));
if (verdicts.size > 1) picker("verdict", [...verdicts].map((v) => [v, v]), () => verdict, (v) => { verdict = v; });
axes.forEach((a, i) => {
  if (a.cases.length > 1) picker(a.name, a.cases.map((c, k) => [String(k), a.labels[k]]), () => chosen[i], (v) => { chosen[i] = v; });
});
if (selects.length) {
  bar.append(make("button", { type: "button", textContent: "Show everything", onclick: () => { chosen.fill(""); verdict = ""; toFragment(); showAll(); mark(); } }));
  document.querySelector("nav").append(bar);
}

// ---- Links into what is folded or hidden.

const follow = () => {
  if (fromFragment()) { showAll(); mark(); return; }
  const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
  if (!target) return;
  for (let e = target; e; e = e.parentElement) {
    if (e.hidden) e.hidden = false;
    if (e.tagName === "DETAILS") e.open = true;
  }
  target.scrollIntoView();
  const summary = target.querySelector("summary");
  if (summary) summary.focus({ preventScroll: true });
};
addEventListener("hashchange", follow);
showAll();
mark();
follow();

// ---- Zoom into a course over time.

const zoomable = (figure) => {
  const data = JSON.parse(figure.querySelector("script").textContent);
  const picture = figure.querySelector(".plot");
  const n = data.lines[0].y.length;
  const xs = Array.from({ length: n }, (_, i) => data.from + i * data.step);
  const columns = [xs], series = [{ label: data.x_label, value: (_, v) => (v === null ? "" : String(+v.toPrecision(5))) }], bands = [];
  for (const line of data.lines) {
    const at = series.length;
    columns.push(line.y);
    series.push({ label: line.name || data.y_label, stroke: line.colour, width: 1.5, points: { show: false }, value: (_, v) => (v === null || v === undefined ? "–" : String(+v.toPrecision(4))) });
    if (!line.lo) continue;
    columns.push(line.hi, line.lo); // the smallest and the largest value, behind the mean
    for (let k = 0; k < 2; k++) series.push({ label: "", stroke: "transparent", width: 0, points: { show: false }, class: "unseen" });
    bands.push({ series: [at + 1, at + 2], fill: line.colour + "40" });
  }
  const paint = (u) => { // limits and marks, which uPlot does not know
    const c = u.ctx, box = u.bbox, px = devicePixelRatio;
    c.save();
    c.beginPath();
    c.rect(box.left, box.top, box.width, box.height);
    c.clip();
    c.font = `${11 * px}px sans-serif`;
    for (const l of data.limits) {
      const y = u.valToPos(l.y, "y", true);
      c.strokeStyle = c.fillStyle = "#c04e00";
      c.setLineDash([6 * px, 4 * px]);
      c.beginPath(); c.moveTo(box.left, y); c.lineTo(box.left + box.width, y); c.stroke();
      c.textAlign = "right";
      c.fillText(l.label, box.left + box.width - 4 * px, y - 4 * px);
    }
    for (const m of data.marks) {
      const x = u.valToPos(m.x, "x", true);
      if (m.until > m.x) {
        c.fillStyle = "#57606a20";
        c.fillRect(x, box.top, u.valToPos(m.until, "x", true) - x, box.height);
      }
      c.strokeStyle = c.fillStyle = "#57606a";
      c.setLineDash([2 * px, 2 * px]);
      c.beginPath(); c.moveTo(x, box.top); c.lineTo(x, box.top + box.height); c.stroke();
      c.textAlign = "left";
      c.fillText(m.text, x + 3 * px, box.top + 12 * px);
    }
    c.restore();
  };
  const all = data.limits.map((l) => l.y);
  const place = make("div", { className: "zoomed", tabIndex: 0 });
  place.setAttribute("role", "group");
  place.setAttribute("aria-label", "Zoom: drag over a part; + and −, arrows, and 0 for everything");
  let u = null;
  const width = () => Math.max(280, figure.clientWidth - 22);
  const move = (scale, shift) => {
    const { min, max } = u.scales.x, span = (max - min) * scale, from = xs[0], to = xs[n - 1];
    const wide = Math.min(Math.max(span, 4 * data.step), to - from);
    const left = Math.min(Math.max((min + max) / 2 - wide / 2 + shift * wide, from), to - wide);
    u.setScale("x", { min: left, max: left + wide });
  };
  const everything = () => u.setScale("x", { min: xs[0], max: xs[n - 1] });
  const open = () => {
    u = new uPlot({
      width: width(), height: 320, series, bands,
      scales: { x: { time: false }, y: { range: (_, lo, hi) => {
        const low = Math.min(lo ?? 0, 0, ...all), high = Math.max(hi ?? 1, ...all);
        return [low, high + (high - low || 1) * 0.06];
      } } },
      axes: [{ label: data.x_label, stroke: "#24292f", grid: { stroke: "#e1e4e8" }, ticks: { stroke: "#e1e4e8" } },
        { label: data.y_label, stroke: "#24292f", grid: { stroke: "#e1e4e8" }, ticks: { stroke: "#e1e4e8" }, size: 62 }],
      cursor: { drag: { x: true, y: false } },
      hooks: { draw: [paint] },
    }, columns, place);
  };
  const buttons = make("span", { className: "tools", hidden: true }, ...[
    ["+", "Closer", () => move(0.5, 0)], ["−", "Wider", () => move(2, 0)], ["←", "Earlier", () => move(1, -0.5)], ["→", "Later", () => move(1, 0.5)], ["0", "Everything", everything],
  ].map(([text, title, onclick]) => make("button", { type: "button", textContent: text, title, onclick })));
  place.addEventListener("keydown", (e) => {
    const act = { "+": () => move(0.5, 0), "=": () => move(0.5, 0), "-": () => move(2, 0), ArrowLeft: () => move(1, -0.25), ArrowRight: () => move(1, 0.25), "0": everything }[e.key];
    if (act) { act(); e.preventDefault(); }
  });
  const toggle = make("button", { type: "button", textContent: "Zoom" });
  toggle.setAttribute("aria-pressed", "false");
  toggle.addEventListener("click", () => {
    const on = !figure.classList.contains("zooming");
    if (on && !u) { picture.after(place); figure.classList.add("zooming"); open(); }
    figure.classList.toggle("zooming", on);
    buttons.hidden = !on;
    toggle.setAttribute("aria-pressed", String(on));
    if (on) place.focus();
  });
  addEventListener("resize", () => { if (u && figure.classList.contains("zooming")) u.setSize({ width: width(), height: 320 }); });
  figure.querySelector("figcaption").prepend(toggle, buttons, " ");
};
figures.filter((f) => f.querySelector("script")).forEach(zoomable);
})();
