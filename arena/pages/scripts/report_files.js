// What the report holds packed: rows as CSV files, and whole pages of matches, opened at an event.

/** Text that was packed with zlib and written in base64. */
async function unpackedText(packed) {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).text();
}

/** Save the rows of a part as a file. */
async function saveSheet(number) {
  const sheet = reportData.sheets[number];
  const file = new Blob([await unpackedText(sheet.packed)], { type: "text/csv;charset=utf-8" });
  const address = URL.createObjectURL(file);
  make("a", { href: address, download: sheet.name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60000);
}

/** Make the page of each match, one after another, and let the links to its events lead there. */
async function openablePages() {
  for (const [number, packed] of reportData.pages.entries()) {
    const links = document.querySelectorAll(`a[data-page="${number}"]`);
    const page = new Blob([await unpackedText(packed)], { type: "text/html;charset=utf-8" });
    const address = URL.createObjectURL(page);
    for (const link of links) {
      link.href = `${address}#event=${link.dataset.event}`;
      link.target = "_blank";
    }
  }
  document.documentElement.dataset.pages = "ready";
}

for (const button of document.querySelectorAll("[data-sheet]")) {
  button.disabled = false;
  button.addEventListener("click", () => saveSheet(Number(button.dataset.sheet)));
}
openablePages();
