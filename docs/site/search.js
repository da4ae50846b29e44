
// entries: [title of the page, heading, address, words]; made by docs/Site.java.
(function () {
  const root = document.body.dataset.root;
  const box = document.getElementById("search");
  const found = document.getElementById("found");
  const article = document.querySelector("article");
  const most = 25;

  function words(text) {
    return text.toLowerCase().split(/[^\p{L}\p{N}_]+/u).filter(Boolean);
  }

  // How well a word of the question suits a text: whole words before beginnings, beginnings before parts.
  function suits(word, text) {
    const place = text.indexOf(word);
    if (place < 0) return 0;
    const before = new RegExp("(^|[^\\p{L}\\p{N}_])" + word.replace(/[^\p{L}\p{N}_]/gu, ""), "u");
    if (!before.test(text)) return 1;
    return new RegExp(before.source + "($|[^\\p{L}\\p{N}_])", "u").test(text) ? 3 : 2;
  }

  function search(question) {
    const asked = words(question);
    if (!asked.length) return [];
    const results = [];
    for (const [title, heading, address, body] of entries) {
      const texts = [title.toLowerCase(), heading.toLowerCase(), body.toLowerCase()];
      let score = 0;
      for (const word of asked) {
        const here = 9 * suits(word, texts[1]) + 6 * suits(word, texts[0]) + 2 * suits(word, texts[2]);
        if (!here) { score = 0; break; }
        score += here + Math.min(4, texts[2].split(word).length - 1);
      }
      if (score && address.startsWith("docs/notes/")) score *= 0.7;
      if (score && address.startsWith("CHANGELOG")) score *= 0.3;
      if (score) results.push({ title, heading, address, body, score });
    }
    return results.sort((a, b) => b.score - a.score).slice(0, most);
  }

  function snippet(body, asked) {
    const lower = body.toLowerCase();
    const places = asked.map(word => lower.indexOf(word)).filter(place => place >= 0);
    const start = Math.max(0, (places.length ? Math.min(...places) : 0) - 60);
    const text = (start ? "… " : "") + body.slice(start, start + 180) + (body.length > start + 180 ? " …" : "");
    const part = document.createElement("p");
    let rest = text;
    while (rest) {
      const hits = asked.map(word => [rest.toLowerCase().indexOf(word), word.length]).filter(hit => hit[0] >= 0);
      if (!hits.length) { part.append(rest); break; }
      const [place, length] = hits.sort((a, b) => a[0] - b[0])[0];
      const mark = document.createElement("mark");
      mark.textContent = rest.slice(place, place + length);
      part.append(rest.slice(0, place), mark);
      rest = rest.slice(place + length);
    }
    return part;
  }

  function show(question) {
    const asked = words(question);
    found.replaceChildren();
    found.hidden = !asked.length;
    article.hidden = !found.hidden;
    if (!asked.length) return;
    const results = search(question);
    const head = document.createElement("h1");
    head.textContent = results.length ? "Found for “" + question.trim() + "”" : "Nothing found for “" + question.trim() + "”";
    found.append(head);
    for (const result of results) {
      const link = document.createElement("a");
      link.href = root + result.address;
      link.textContent = result.title + (result.heading ? " › " + result.heading : "");
      link.addEventListener("click", () => { box.value = ""; show(""); });
      const item = document.createElement("div");
      item.className = "result";
      item.append(link, snippet(result.body, asked));
      found.append(item);
    }
  }

  function fromAddress() {
    const asked = /^#q=(.*)$/.exec(location.hash);
    if (asked) {
      box.value = decodeURIComponent(asked[1]);
      show(box.value);
    }
  }

  box.addEventListener("input", () => show(box.value));
  box.addEventListener("keydown", event => {
    const first = found.querySelector("a");
    if (event.key === "Enter" && first) first.click();
    if (event.key === "Escape") { box.value = ""; show(""); }
  });
  document.addEventListener("keydown", event => {
    if (event.key === "/" && document.activeElement !== box) {
      event.preventDefault();
      box.focus();
    }
  });
  window.addEventListener("hashchange", fromAddress);
  fromAddress();
  const here = document.querySelector("nav [aria-current]");
  if (here && here.offsetTop > window.innerHeight * 0.7) document.querySelector("nav").scrollTop = here.offsetTop - 120;
})();
