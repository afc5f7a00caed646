// The map of a guide: the list of its steps, which the page holds already, put where dagre says, with its ways drawn.
// A plain script and no module, because browsers load no modules from a disk.
"use strict";

(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const SMALL = 24; // steps up to which all sections are open at first
  const NARROW = 700; // pixels below which the list is shown at first
  const SMALLEST = 0.72; // below this scale nobody reads the words of a step

  class GuideMap {
    constructor(root) {
      this.root = root;
      this.canvas = root.querySelector(".canvas");
      this.sheet = root.querySelector(".sheet");
      this.svg = root.querySelector(".edges");
      this.sections = [...root.querySelectorAll(".section")].map((element) => ({
        element,
        head: element.querySelector(".section-head"),
        button: element.querySelector(".section-head button"),
        steps: [...element.querySelectorAll(".step")].map((step) => this.read(step)),
        isOpen: true,
      }));
      this.steps = new Map(this.sections.flatMap((one) => one.steps.map((step) => [step.number, { ...step, section: one }])));
      this.path = root.dataset.path.split(" ").filter(Boolean);
      this.isGraph = window.innerWidth >= NARROW;
      this.begin();
    }

    read(element) {
      const ways = [...element.querySelectorAll(".way")].map((way) => ({
        leads: way.dataset.leads,
        to: way.dataset.to,
        label: way.querySelector(".condition").textContent,
        isStated: way.classList.contains("stated"),
        isNext: way.classList.contains("next"),
      }));
      return { element, ways, number: element.dataset.step, node: element.querySelector(".node") };
    }

    begin() {
      for (const section of this.sections) {
        const shown = this.path.length ? this.path : [location.hash.replace("#step-", "")];
        const isAsked = section.steps.some((step) => shown.includes(step.number));
        section.isAside = section.steps.every((step) => step.element.dataset.kind !== "step" || !this.leadsOn(step)) && !this.isReached(section);
        section.isOpen = isAsked || (!section.isAside && this.steps.size <= SMALL);
        section.button.disabled = false;
        section.button.addEventListener("click", () => this.toggle(section));
      }
      if (!this.sections.some((one) => one.isOpen)) (this.sections.find((one) => !one.isAside) ?? this.sections[0]).isOpen = true;
      const all = this.root.querySelector("[data-all]");
      all.hidden = this.sections.length < 2;
      all.addEventListener("click", () => {
        const open = !this.sections.every((one) => one.isOpen);
        this.sections.forEach((one) => (one.isOpen = open));
        this.draw();
      });
      this.root.querySelector(".switch").hidden = this.root.querySelector(".keys").hidden = false;
      for (const button of this.root.querySelectorAll("[data-view]")) {
        button.addEventListener("click", () => {
          this.isGraph = button.dataset.view === "graph";
          this.draw();
        });
      }
      this.root.addEventListener("keydown", (event) => this.move(event));
      for (const number of this.path) this.steps.get(number)?.element.classList.add("visited");
      new ResizeObserver(() => {
        if (this.isGraph && this.canvas.clientWidth !== this.width) this.fit();
      }).observe(this.canvas);
      this.draw();
      document.fonts?.ready.then(() => this.draw());
    }

    leadsOn(step) {
      return step.ways.some((way) => way.leads !== "inside" && (way.leads !== "outside" || way.isStated));
    }

    isReached(section) {
      const own = new Set(section.steps.map((step) => step.number));
      return [...this.steps.values()].some((step) => !own.has(step.number) && step.ways.some((way) => own.has(way.to)));
    }

    toggle(section) {
      section.isOpen = !section.isOpen;
      this.draw();
    }

    choose(number) {
      this.chosen = number;
      const step = this.steps.get(number);
      for (const one of this.steps.values()) one.node.classList.toggle("chosen", one === step);
      if (step && !step.section.isOpen) {
        step.section.isOpen = true;
        this.draw();
      }
      this.light();
      return step;
    }

    // -- by keyboard: one stop of the tab key, and arrows from there ----------------------------------------------

    stops() {
      return this.sections.flatMap((one) => (one.isOpen ? [one.button, ...one.steps.map((step) => step.node)] : [one.button])).filter((stop) => stop.offsetParent);
    }

    move(event) {
      const stops = this.stops();
      const at = stops.indexOf(document.activeElement);
      const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: stops.length - 1 }[event.key];
      if (at < 0 || to === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      const stop = stops[Math.max(0, Math.min(to, stops.length - 1))];
      this.rove(stop);
      stop.focus();
    }

    rove(stop) {
      for (const one of this.root.querySelectorAll(".node, .section-head button")) one.tabIndex = one === stop ? 0 : -1;
    }

    // -- as a picture ---------------------------------------------------------------------------------------------

    draw() {
      this.sheet.querySelectorAll(".label").forEach((one) => one.remove());
      this.svg.replaceChildren();
      this.root.classList.toggle("graph", this.isGraph);
      this.sheet.removeAttribute("style");
      this.canvas.style.removeProperty("height");
      for (const button of this.root.querySelectorAll("[data-view]")) button.setAttribute("aria-pressed", String((button.dataset.view === "graph") === this.isGraph));
      this.root.querySelector("[data-all]").textContent = this.sections.every((one) => one.isOpen) ? "Close all" : "Open all";
      for (const section of this.sections) {
        section.element.classList.toggle("closed", !section.isOpen);
        section.button.setAttribute("aria-expanded", String(section.isOpen));
      }
      for (const one of this.root.querySelectorAll(".step, .section-head")) one.removeAttribute("style");
      if (this.isGraph) this.place();
      const stops = this.stops();
      this.rove(stops.includes(document.activeElement) ? document.activeElement : (this.steps.get(this.chosen)?.node ?? stops[0]));
      this.light();
    }

    place() {
      const graph = new dagre.graphlib.Graph({ multigraph: true });
      graph.setGraph({ rankdir: "TB", nodesep: 28, edgesep: 16, ranksep: 44, marginx: 24, marginy: 12 });
      const boxes = new Map();
      const asides = [];
      this.sections.forEach((section, at) => {
        if (!section.isOpen && section.isAside) asides.push(section.head);
        else if (!section.isOpen) boxes.set(`s${at}`, { parts: [section.head] });
        else section.steps.forEach((step, nth) => boxes.set(`n${step.number}`, { parts: nth ? [step.element] : [section.head, step.element] }));
      });
      for (const [name, box] of boxes) {
        box.width = Math.max(...box.parts.map((part) => part.offsetWidth));
        box.height = box.parts.reduce((sum, part) => sum + part.offsetHeight, 0);
        graph.setNode(name, { width: box.width, height: box.height });
      }
      const order = [...boxes.keys()];
      const edges = this.edges(boxes);
      for (const edge of edges) {
        edge.label = this.label(edge);
        edge.isBack = order.indexOf(edge.to) < order.indexOf(edge.from);
        edge.ends = edge.isBack ? [edge.to, edge.from] : [edge.from, edge.to];
        const size = edge.label ? { width: edge.label.offsetWidth + 8, height: edge.label.offsetHeight + 8, labelpos: "c" } : {};
        graph.setEdge(...edge.ends, { ...size, weight: edge.isNext ? 6 : edge.isBack ? 1 : 3 }, edge.isBack ? "back" : "on");
      }
      // What nothing leads to, or from, stands in reading order all the same.
      order.slice(1).forEach((one, at) => {
        const isLoose = !graph.inEdges(one).length || !graph.outEdges(order[at]).length;
        if (isLoose) graph.setEdge(order[at], one, { weight: 1 }, "order");
      });
      dagre.layout(graph);
      this.show(graph, boxes, edges, asides);
    }

    // What is drawn as one line: all ways from one box to another.
    edges(boxes) {
      const edges = new Map();
      const name = (step) => (step.section.isOpen ? `n${step.number}` : `s${this.sections.indexOf(step.section)}`);
      for (const step of this.steps.values()) {
        for (const way of step.ways.filter((one) => one.to)) {
          const [from, to] = [name(step), name(this.steps.get(way.to))];
          if (from === to || !boxes.has(from) || !boxes.has(to)) continue;
          const edge = edges.get(`${from} ${to}`) ?? { from, to, ways: [], steps: new Set(), isNext: true };
          edge.ways.push(way);
          edge.steps.add(step.number);
          edge.isNext &&= way.isNext;
          edges.set(`${from} ${to}`, edge);
        }
      }
      return [...edges.values()];
    }

    label(edge) {
      const said = [...new Set(edge.ways.filter((way) => way.isStated).map((way) => way.label))];
      if (!said.length) return null;
      const label = document.createElement("span");
      label.className = "label";
      label.setAttribute("aria-hidden", "true"); // the list of the step's ways says it
      for (const text of said.length > 2 ? [`${said.length} conditions`] : said) {
        const line = document.createElement("span");
        line.textContent = text;
        label.append(line);
      }
      label.title = said.join("\n");
      this.sheet.append(label);
      return label;
    }

    show(graph, boxes, edges, asides) {
      const { width = 0, height = 0 } = graph.graph();
      const wide = Math.max(width, Math.min(this.canvas.clientWidth, 900));
      const top = this.showAsides(asides, wide);
      const left = (wide - width) / 2;
      for (const [name, box] of boxes) {
        const { x, y } = graph.node(name);
        Object.assign(box, { left: x - box.width / 2 + left, top: y - box.height / 2 + top, below: [], above: [] });
        let next = box.top;
        for (const part of box.parts) {
          part.style.left = `${box.left}px`;
          part.style.top = `${next}px`;
          next += part.offsetHeight;
        }
      }
      for (const edge of edges) {
        const laid = graph.edge({ v: edge.ends[0], w: edge.ends[1], name: edge.isBack ? "back" : "on" });
        edge.points = laid.points.map((point) => ({ x: point.x + left, y: point.y + top }));
        if (edge.label) {
          edge.label.style.left = `${laid.x - edge.label.offsetWidth / 2 + left}px`;
          edge.label.style.top = `${laid.y - edge.label.offsetHeight / 2 + top}px`;
        }
        boxes.get(edge.ends[0]).below.push({ point: edge.points[0], near: edge.points[1].x });
        boxes.get(edge.ends[1]).above.push({ point: edge.points.at(-1), near: edge.points.at(-2).x });
      }
      for (const box of boxes.values()) {
        spread(box.below, box, box.top + box.height);
        spread(box.above, box, box.top);
      }
      this.drawn = edges.map((edge) => this.line(edge));
      this.size = { width: wide, height: height + top + 12 };
      this.svg.setAttribute("viewBox", `0 0 ${this.size.width} ${this.size.height}`);
      this.fit();
    }

    showAsides(heads, wide) {
      let x = 12;
      let y = 12;
      for (const head of heads) {
        if (x > 12 && x + head.offsetWidth > wide - 12) {
          x = 12;
          y += head.offsetHeight + 8;
        }
        head.style.left = `${x}px`;
        head.style.top = `${y}px`;
        x += head.offsetWidth + 8;
      }
      return heads.length ? y + heads[0].offsetHeight + 8 : 0;
    }

    line(edge) {
      const points = edge.isBack ? [...edge.points].reverse() : edge.points;
      const last = points.at(-1);
      const group = drawn("g", { class: `edge${edge.isNext ? " next" : ""}${edge.isBack ? " back" : ""}` });
      group.append(
        drawn("path", { d: curve(points) }),
        drawn("polygon", { points: edge.isBack ? "0,0 -4.5,9 4.5,9" : "0,0 -4.5,-9 4.5,-9", transform: `translate(${last.x} ${last.y})` }),
      );
      this.svg.append(group);
      return { edge, group };
    }

    fit() {
      this.width = this.canvas.clientWidth;
      const scale = Math.min(1, Math.max(SMALLEST, this.width / this.size.width));
      const free = Math.max(0, (this.width - this.size.width * scale) / 2);
      Object.assign(this.sheet.style, { width: `${this.size.width}px`, height: `${this.size.height}px`, transform: `translate(${free}px) scale(${scale})` });
      this.canvas.style.height = `${this.size.height * scale + 16}px`;
    }

    // Which lines a reader looks for: those of the chosen step, and the way that a walk has taken.
    light() {
      if (!this.isGraph || !this.drawn) return;
      const taken = new Set(this.path.slice(1).map((to, at) => `${this.path[at]} ${to}`));
      for (const { edge, group } of this.drawn) {
        const isTaken = edge.ways.some((way) => way.to && [...edge.steps].some((from) => taken.has(`${from} ${way.to}`)));
        group.classList.toggle("taken", isTaken);
        const isLit = !this.path.length && edge.steps.has(this.chosen);
        group.classList.toggle("lit", isLit);
        edge.label?.classList.toggle("lit", isLit || isTaken);
      }
    }
  }

  // Lines begin and end at the lower and the upper side of a box, beside each other in the order in which they go on.
  function spread(ends, box, y) {
    const gap = Math.min(26, (box.width - 40) / Math.max(1, ends.length - 1));
    ends.sort((one, other) => one.near - other.near);
    ends.forEach(({ point }, at) => Object.assign(point, { x: box.left + box.width / 2 + (at - (ends.length - 1) / 2) * gap, y }));
  }

  function drawn(name, attributes) {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  }

  function curve(points) {
    const parts = points.slice(1).map((point, at) => {
      const before = points[at];
      const middle = (before.y + point.y) / 2;
      return `C ${before.x} ${middle} ${point.x} ${middle} ${point.x} ${point.y}`;
    });
    return `M ${points[0].x} ${points[0].y} ${parts.join(" ")}`;
  }

  window.GuideMap = GuideMap;
})();
