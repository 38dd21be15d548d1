// A page that follows what is being played: it asks its own address again, and puts the parts that are marked
// `data-live` in the place of those that are shown. The server answers with nothing where nothing has changed. What
// comes is a page of this server, in which all text is escaped, and no script of it is run.

const SLOWEST = 30;

/** What is remembered between two looks: the tag of the page as it was shown, and how often no answer came. */
const following = { tag: null, failed: 0 };

/** Seconds until the next look; 0: none. */
function secondsToNextLook() {
  const every = Number(document.getElementById("main")?.dataset.every ?? 0);
  return every && Math.min(Math.max(SLOWEST, every), every * 2 ** following.failed);
}

function planNextLook() {
  const seconds = secondsToNextLook();
  if (seconds) setTimeout(lookAgain, 1000 * seconds);
}

async function lookAgain() {
  if (document.hidden) {
    document.addEventListener("visibilitychange", lookAgain, { once: true });
    return;
  }
  try {
    const headers = following.tag ? { "If-None-Match": following.tag } : {};
    const answer = await fetch(location.pathname + location.search, { headers, cache: "no-store" });
    if (answer.status === 200) {
      showPage(await answer.text());
      following.tag = answer.headers.get("ETag");
    }
    sayFollowing(answer.status === 200 || answer.status === 304 ? 0 : 1, `the server says ${answer.status}`);
  } catch {
    sayFollowing(1, "the server does not answer");
  }
  planNextLook();
}

/** Say, where the page is followed no more, that it is; it is tried again, ever less often. */
function sayFollowing(failed, why) {
  following.failed = failed ? following.failed + 1 : 0;
  document.getElementById("follow").textContent = failed ? `not up to date: ${why}; trying again` : "";
}

/** Put what has changed of a page in its place. */
function showPage(text) {
  const page = new DOMParser().parseFromString(text, "text/html");
  const main = page.getElementById("main");
  if (!main) return;
  document.getElementById("main").dataset.every = main.dataset.every;
  for (const part of page.querySelectorAll("[data-live]")) {
    const shown = document.getElementById(part.id);
    if (shown && shown.outerHTML !== part.outerHTML) replacePart(shown, document.adoptNode(part));
  }
  const ready = document.querySelector("[data-ready]")?.dataset.ready;
  if (ready) location.replace(ready);
}

/** Put a part in the place of the one that is shown; what was focused stays so, what was scrolled too. */
function replacePart(shown, part) {
  if (isSelectedIn(shown)) return;
  const address = shown.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
  const scrolled = [...shown.querySelectorAll(".scroll")].map((each) => each.scrollLeft);
  shown.replaceWith(part);
  part.querySelectorAll(".scroll").forEach((each, at) => { each.scrollLeft = scrolled[at] ?? 0; });
  if (address) [...part.querySelectorAll("a")].find((each) => each.getAttribute("href") === address)?.focus();
}

/** Whether somebody is marking text in it, to copy it. */
function isSelectedIn(shown) {
  const selection = getSelection();
  return selection.type === "Range" && shown.contains(selection.anchorNode);
}

planNextLook();
