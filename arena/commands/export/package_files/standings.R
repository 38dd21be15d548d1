# Computes the standings of this package anew from its tables, and compares every figure with standings.csv.
#
#     install.packages(c("jsonlite", "nanoparquet"))     # or arrow in place of nanoparquet
#     Rscript standings.R                                # in the folder of the package
#
# Where neither nanoparquet nor arrow is installed, matches.csv and seats.csv are read from the same folder, if they are
# there (`arena export DIR --csv --table matches --table seats` writes them).
#
# Compared are the places and all means and sums. Intervals (X_half_width, X_low, X_high), numbers of faults by kind
# (faults.KIND) and measures that the tournament made for itself are not computed here.

read_csv <- function(name) {
  utils::read.csv(name, colClasses = "character", check.names = FALSE, encoding = "UTF-8", na.strings = character())
}
read_table <- function(name) {
  parquet <- paste0(name, ".parquet")
  if (requireNamespace("nanoparquet", quietly = TRUE)) return(as.data.frame(nanoparquet::read_parquet(parquet)))
  if (requireNamespace("arrow", quietly = TRUE)) return(as.data.frame(arrow::read_parquet(parquet)))
  csv <- paste0(name, ".csv")
  if (!file.exists(csv)) stop("to read ", parquet, ", install nanoparquet or arrow; or put ", csv, " beside it")
  rows <- read_csv(csv)
  rows[] <- lapply(rows, plain)
  rows
}
# CSV files have an apostrophe before texts that a spreadsheet would take for formulas.
plain <- function(texts) sub("^'(?='*[-=+@\t\r\n])", "", texts, perl = TRUE)
number <- function(values) as.numeric(values)
lcm <- function(a, b) { x <- a; y <- b; while (y > 0) { z <- x %% y; x <- y; y <- z }; a / x * b }

package <- jsonlite::fromJSON("datapackage.json", simplifyVector = FALSE)$arena
kept <- read_csv("standings.csv")
matches <- read_table("matches")
seats <- read_table("seats")
at <- match(seats$match, matches$match)
seats$seed <- matches$seed[at]
seats <- seats[!as.logical(seats$void), ]

# Shares are whole numbers of 1/scale, so that sums are exact.
most <- if (nrow(seats)) max(number(matches$players)) else 1
scale <- 2 * Reduce(lcm, seq_len(most), 1)
seats$win <- round(number(seats$win) * scale)
seats$beaten <- round(number(seats$beaten) * scale)
seats$struck_out <- number(seats$ended == "struck-out")
seats$forfeits <- number(seats$ended == "forfeit")

# Matchpoints: the share of the others in the same seat of the same deal who have less money, an equal one half.
held <- paste(seats$edition, seats$block, seats$seed, seats$seat, sep = "\r")
own <- paste(held, seats$entrant, sep = "\r")
halves_in <- function(groups) {
  stats::ave(number(seats$money), groups, FUN = function(money) round(2 * rank(money) - 1))
}
size_in <- function(groups) stats::ave(number(seats$money), groups, FUN = length)
others <- size_in(held) - size_in(own)
seats$matchpoints <- ifelse(others > 0, (halves_in(held) - halves_in(own)) / (2 * others), NA)

sums <- c(wins = "win", faults = "faults", struck_out = "struck_out", forfeits = "forfeits")
means <- c(win_rate = "win", mean_rank = "rank", beaten = "beaten", mean_money = "money")
figures <- function(rows, one_game) {
  found <- c(matches = nrow(rows))
  for (name in names(sums)) {
    found[name] <- sum(number(rows[[sums[name]]])) / (if (sums[name] == "win") scale else 1)
  }
  for (name in names(means)) if (nrow(rows) && (name != "mean_money" || one_game)) {
    parts <- if (means[name] %in% c("win", "beaten")) scale else 1
    found[name] <- sum(number(rows[[means[name]]])) / (parts * nrow(rows))
  }
  compared <- rows$matchpoints[!is.na(rows$matchpoints)]
  if (length(compared)) found["matchpoints"] <- mean(compared)
  found
}

wrong <- 0
compared <- 0
for (edition in names(package$standings)) {
  counted <- package$standings[[edition]]
  rows <- seats[seats$edition %in% unlist(counted$editions), ]
  entrants <- sort(unique(c(names(package$entrants), rows$entrant)), method = "radix")
  found <- lapply(entrants, function(name) figures(rows[rows$entrant == name, ], counted$one_game))
  keys <- list(sapply(found, function(each) each[["matches"]] == 0))
  for (measure in counted$order) {
    sign <- if (measure[[2]]) 1 else -1
    keys <- c(keys, list(sapply(found, function(each) if (is.na(each[measure[[1]]])) 0 else sign * each[[measure[[1]]]])))
  }
  placed <- do.call(order, c(keys, list(seq_along(entrants))))
  lines <- kept[kept$edition == edition, ]
  cat("\n", edition, "\n", sep = "")
  for (place in seq_along(placed)) {
    name <- entrants[placed[place]]
    known <- c(place = place, found[[placed[place]]])
    cat(place, name, paste(names(known), signif(known, 4)), "\n", sep = "  ")
    told <- plain(lines$entrant[place])
    compared <- compared + 1
    wrong <- wrong + (told != name)
    for (key in c("place", "matches", names(sums), names(means), "matchpoints")) if (key %in% names(lines)) {
      cell <- lines[[key]][place]
      # sprintf rounds the decimal digits of the number itself, as the file does
      same <- if (is.na(known[key])) cell == "" else isTRUE(number(cell) == number(sprintf("%.6f", known[[key]])))
      compared <- compared + 1
      wrong <- wrong + !same
      if (!same) message("  ", key, ": standings.csv has ", cell, ", the tables give ", known[key])
    }
  }
}
cat("\n", compared - wrong, " of ", compared, " figures are those of standings.csv\n", sep = "")
quit(status = if (wrong) 1 else 0)
