// Sections are folded but the first ones: all can be opened at once, and on paper they are.

const reportFolds = [...document.querySelectorAll(".report .fold")];
const reportUnfold = document.getElementById("unfold");

/** Open all sections, or, if all are open, close all. */
function turnFolds() {
  const open = reportFolds.some((fold) => !fold.open);
  for (const fold of reportFolds) fold.open = open;
}

/** Say on the button what it will do. */
function nameUnfold() {
  reportUnfold.textContent = reportFolds.some((fold) => !fold.open) ? "Open all sections" : "Close all sections";
}

let reportUnprinted = [];
addEventListener("beforeprint", () => {
  reportUnprinted = reportFolds.filter((fold) => !fold.open);
  for (const fold of reportUnprinted) fold.open = true;
});
addEventListener("afterprint", () => { for (const fold of reportUnprinted) fold.open = false; });
for (const fold of reportFolds) fold.addEventListener("toggle", nameUnfold);
reportUnfold.hidden = false;
reportUnfold.addEventListener("click", turnFolds);
nameUnfold();
