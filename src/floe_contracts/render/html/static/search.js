(() => {
  const all = (what, where = document) => [...where.querySelectorAll(what)];
  const form = document.getElementById("tools"), search = document.getElementById("search");
  const count = document.getElementById("count"), nothing = document.getElementById("nothing");
  const cards = all("[data-card]"), lists = all("select[data-filter]", form), tiles = all("button[data-state]");
  const rest = document.getElementById("rest"), texts = new Map();
  let state = "", unfolded = false;

  const wordsOf = (card) => {
    if (!texts.has(card)) texts.set(card, card.textContent.toLowerCase());
    return texts.get(card);
  };

  const has = (card, name, value) => (card.dataset[name] || "").split(" ").includes(value);
  const fits = (card, words, wanted) => {
    const check = wanted.check;
    if (state && !(check ? has(card, "check", check + "-" + state) : has(card, "state", state))) return false;
    if (!Object.entries(wanted).every(([name, value]) => !value || has(card, name, value))) return false;
    return words.every((word) => wordsOf(card).includes(word));
  };
  const show = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const wanted = Object.fromEntries(lists.map((list) => [list.dataset.filter, list.value]));
    const asked = Boolean(state || words.length || lists.some((list) => list.value));
    let shown = 0;
    for (const card of cards) {
      card.hidden = !fits(card, words, wanted);
      shown += !card.hidden;
    }
    if (rest) {
      if (asked !== rest.classList.contains("asked")) {
        unfolded = asked ? rest.open : unfolded;
        rest.open = asked || unfolded;
      }
      rest.classList.toggle("asked", asked);
    }
    for (const tile of tiles) tile.setAttribute("aria-pressed", String(tile.dataset.state === state));
    count.textContent = shown === cards.length ? `${shown} contracts` : `${shown} of ${cards.length} contracts`;
    nothing.hidden = shown > 0;
  };
  const clear = () => {
    search.value = state = "";
    for (const list of lists) list.value = "";
    show();
  };
  const seen = (card) => !card.hidden && (!rest || rest.open || !rest.contains(card));
  const heads = () => cards.filter(seen).map((card) => card.querySelector("summary"));
  const move = (by) => {
    const found = heads(), card = document.activeElement.closest("[data-card]");
    const here = found.indexOf(card?.querySelector("summary"));
    const next = found[here < 0 ? 0 : Math.min(found.length - 1, Math.max(0, here + by))];
    next?.focus();
    next?.scrollIntoView({ block: "nearest" });
  };
  const reveal = () => {
    const card = document.getElementById(location.hash.slice(1))?.closest("[data-card]");
    if (!card) return;
    if (card.hidden) clear();
    if (rest?.contains(card)) rest.open = true;
    card.open = true;
    card.scrollIntoView();
  };
  const escape = () => {
    const card = document.activeElement.closest("[data-card]");
    if (card?.open) {
      card.open = false;
      card.querySelector("summary").focus();
    } else {
      clear();
      document.activeElement.blur();
    }
  };
  const keys = { "/": () => (search.focus(), search.select()), j: () => move(1), k: () => move(-1), Escape: escape };
  keys.ArrowDown = keys.j;
  keys.ArrowUp = keys.k;

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = event.target, typing = at === search, choosing = at.tagName === "SELECT";
    const mine = typing ? ["Escape", "ArrowDown"].includes(event.key) : !choosing || event.key === "Escape";
    const act = typing && event.key === "Enter" ? keys.j : mine && keys[event.key];
    const scrolls = event.key.startsWith("Arrow") && !typing && !at.matches("[data-card] > summary");
    if (!act || scrolls) return;
    event.preventDefault();
    act();
  });
  for (const tile of tiles) {
    tile.disabled = false;
    tile.addEventListener("click", () => {
      state = state === tile.dataset.state ? "" : tile.dataset.state;
      show();
    });
  }
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", show);
  document.getElementById("clear").addEventListener("click", clear);
  addEventListener("hashchange", reveal);
  form.hidden = false;
  show();
  reveal();
})();
