/* Broker: a bot for arena in one C file, made to be copied.
 *
 *     cc -O2 -o broker broker.c
 *     arena match cmd:./broker greedy fair hard
 *     arena match 'cmd:./broker --ripe=3' 'cmd:./broker?bar=3' fair hard
 *
 * It speaks the wire protocol of `arena docs protocol` and plays the board game of `arena docs rules`. Four parts,
 * each of which knows only those above it:
 *
 *     JSON       one line of text into a tree
 *     View       the tree into plain numbers: the rules, what this seat sees, what it may do
 *     Strategy   a view into a move
 *     Protocol   lines in, lines out
 *
 * To write a bot of your own, keep the rest and put your ideas into Strategy.
 *
 * Character: it draws while dividends are small and opens late. As the Boss it bids a ladder of prices for every card
 * it lacks; as a partner it asks a dividend and a half, takes one, and of a ladder only the top. A boss card goes to
 * deals it can nearly fill, a STOP to whatever hurts a deal it has a part in, a travel card to deals without it.
 */

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *room(void *old, size_t count, size_t size)
{
    void *fresh = size && count > SIZE_MAX / size ? NULL : realloc(old, count * size);
    if (!fresh) {
        fprintf(stderr, "broker: out of memory\n");
        exit(1);
    }
    return fresh;
}

/* ------------------------------------------------------------------------------------------------------------- JSON
 *
 * json_parse() turns a line into a tree of values. Texts are decoded within the line itself (no escape is shorter than
 * what it stands for), so the tree is good until the next line is read. A value that is not there reads as null, and
 * one of another kind as nothing: no caller has to check what it was sent.
 */

typedef enum { JSON_NULL, JSON_FALSE, JSON_TRUE, JSON_NUMBER, JSON_TEXT, JSON_LIST, JSON_OBJECT } JsonKind;

typedef struct Json Json;
struct Json {
    JsonKind kind;
    double number;
    const char *text; /* ends with a 0 byte, and may hold some */
    size_t length;
    const char *key; /* of a value in an object */
    size_t key_length;
    Json *first; /* of a list or an object */
    Json *next;
};

enum { JSON_DEPTH = 200, JSON_CHUNK = 512 };

typedef struct Chunk Chunk;
struct Chunk {
    Chunk *next;
    Json values[JSON_CHUNK];
};

typedef struct {
    char *at; /* the line ends with a 0 byte, where every rule below stops */
    int depth;
    Chunk *chunks, *chunk; /* kept from line to line */
    int used;
} Parser;

static const Json ABSENT = {JSON_NULL, 0, "", 0, "", 0, NULL, NULL};

static Json *new_value(Parser *parser)
{
    if (!parser->chunk || parser->used == JSON_CHUNK) {
        Chunk **link = parser->chunk ? &parser->chunk->next : &parser->chunks;
        if (!*link) {
            *link = room(NULL, 1, sizeof(Chunk));
            (*link)->next = NULL;
        }
        parser->chunk = *link;
        parser->used = 0;
    }
    Json *value = &parser->chunk->values[parser->used++];
    *value = ABSENT;
    return value;
}

static void skip_space(Parser *parser)
{
    while (*parser->at == ' ' || *parser->at == '\t' || *parser->at == '\r' || *parser->at == '\n')
        parser->at++;
}

static bool take(Parser *parser, const char *word)
{
    size_t length = strlen(word);
    if (strncmp(parser->at, word, length) != 0)
        return false;
    parser->at += length;
    return true;
}

static bool take_digits(Parser *parser)
{
    char *from = parser->at;
    while (*parser->at >= '0' && *parser->at <= '9')
        parser->at++;
    return parser->at > from;
}

static bool parse_number(Parser *parser, double *number)
{
    char *from = parser->at;
    take(parser, "-");
    if (!take(parser, "0") && !take_digits(parser))
        return false;
    if (take(parser, ".") && !take_digits(parser))
        return false;
    if (take(parser, "e") || take(parser, "E")) {
        if (!take(parser, "+"))
            take(parser, "-");
        if (!take_digits(parser))
            return false;
    }
    *number = strtod(from, NULL);
    return true;
}

/* Four hexadecimal digits, or -1. */
static long parse_unit(Parser *parser)
{
    long unit = 0;
    for (int digit = 0; digit < 4; digit++) {
        char c = *parser->at;
        int value = c >= '0' && c <= '9' ? c - '0'
                  : c >= 'a' && c <= 'f' ? c - 'a' + 10
                  : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                         : -1;
        if (value < 0)
            return -1;
        unit = unit * 16 + value;
        parser->at++;
    }
    return unit;
}

static char *put_utf8(char *out, unsigned long code)
{
    if (code < 0x80) {
        *out++ = (char)code;
    } else if (code < 0x800) {
        *out++ = (char)(0xC0 | code >> 6);
        *out++ = (char)(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        *out++ = (char)(0xE0 | code >> 12);
        *out++ = (char)(0x80 | (code >> 6 & 0x3F));
        *out++ = (char)(0x80 | (code & 0x3F));
    } else {
        *out++ = (char)(0xF0 | code >> 18);
        *out++ = (char)(0x80 | (code >> 12 & 0x3F));
        *out++ = (char)(0x80 | (code >> 6 & 0x3F));
        *out++ = (char)(0x80 | (code & 0x3F));
    }
    return out;
}

/* What follows a backslash. A surrogate without its other half becomes U+FFFD. */
static bool parse_escape(Parser *parser, char **out)
{
    static const char escaped[] = "\"\\/bfnrt", plain[] = "\"\\/\b\f\n\r\t";
    char c = *parser->at;
    const char *found = c ? strchr(escaped, c) : NULL;
    if (found) {
        parser->at++;
        *(*out)++ = plain[found - escaped];
        return true;
    }
    if (!take(parser, "u"))
        return false;
    long unit = parse_unit(parser);
    if (unit < 0)
        return false;
    if (unit >= 0xD800 && unit < 0xDC00) {
        char *before = parser->at;
        long low = take(parser, "\\u") ? parse_unit(parser) : -1;
        if (low >= 0xDC00 && low < 0xE000) {
            unit = 0x10000 + (unit - 0xD800) * 0x400 + (low - 0xDC00);
        } else {
            parser->at = before;
            unit = 0xFFFD;
        }
    } else if (unit >= 0xDC00 && unit < 0xE000) {
        unit = 0xFFFD;
    }
    *out = put_utf8(*out, (unsigned long)unit);
    return true;
}

static bool parse_text(Parser *parser, const char **text, size_t *length)
{
    if (!take(parser, "\""))
        return false;
    char *start = parser->at, *out = start;
    while (*parser->at != '"') {
        if ((unsigned char)*parser->at < 0x20) /* the end of the line among them */
            return false;
        if (*parser->at != '\\') {
            *out++ = *parser->at++;
            continue;
        }
        parser->at++;
        if (!parse_escape(parser, &out))
            return false;
    }
    parser->at++;
    *out = '\0';
    *text = start;
    *length = (size_t)(out - start);
    return true;
}

static Json *parse_value(Parser *parser);

/* What stands between the brackets; the opening one has been read. */
static bool parse_members(Parser *parser, Json *parent, const char *close)
{
    Json **link = &parent->first;
    skip_space(parser);
    if (take(parser, close))
        return true;
    do {
        const char *key = "";
        size_t length = 0;
        skip_space(parser);
        if (parent->kind == JSON_OBJECT) {
            if (!parse_text(parser, &key, &length))
                return false;
            skip_space(parser);
            if (!take(parser, ":"))
                return false;
        }
        Json *value = parse_value(parser);
        if (!value)
            return false;
        value->key = key;
        value->key_length = length;
        *link = value;
        link = &value->next;
        skip_space(parser);
    } while (take(parser, ","));
    return take(parser, close);
}

static Json *parse_value(Parser *parser)
{
    Json *value = new_value(parser);
    bool good;
    skip_space(parser);
    switch (*parser->at) {
    case 'n': value->kind = JSON_NULL; good = take(parser, "null"); break;
    case 't': value->kind = JSON_TRUE; good = take(parser, "true"); break;
    case 'f': value->kind = JSON_FALSE; good = take(parser, "false"); break;
    case '"': value->kind = JSON_TEXT; good = parse_text(parser, &value->text, &value->length); break;
    case '[':
    case '{':
        value->kind = *parser->at++ == '{' ? JSON_OBJECT : JSON_LIST;
        good = parser->depth < JSON_DEPTH;
        parser->depth++;
        good = good && parse_members(parser, value, value->kind == JSON_OBJECT ? "}" : "]");
        parser->depth--;
        break;
    default: value->kind = JSON_NUMBER; good = parse_number(parser, &value->number); break;
    }
    return good ? value : NULL;
}

/* The tree of a line of `length` bytes and a 0 byte; NULL if it is no JSON. */
static const Json *json_parse(Parser *parser, char *line, size_t length)
{
    parser->at = line;
    parser->depth = 0;
    parser->chunk = NULL;
    Json *value = parse_value(parser);
    skip_space(parser);
    return value && parser->at == line + length ? value : NULL;
}

static bool same(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && memcmp(text, word, length) == 0;
}

static bool key_is(const Json *value, const char *word)
{
    return same(value->key, value->key_length, word);
}

static bool text_is(const Json *value, const char *word)
{
    return value->kind == JSON_TEXT && same(value->text, value->length, word);
}

static const Json *json_get(const Json *object, const char *key)
{
    for (const Json *each = object->kind == JSON_OBJECT ? object->first : NULL; each; each = each->next)
        if (key_is(each, key))
            return each;
    return &ABSENT;
}

/* The whole number, or `otherwise` for what is none. */
static int json_int(const Json *value, int otherwise)
{
    bool fits = value->kind == JSON_NUMBER && value->number >= INT_MIN && value->number <= INT_MAX;
    return fits ? (int)value->number : otherwise;
}

static bool json_true(const Json *value)
{
    return value->kind == JSON_TRUE;
}

/* ------------------------------------------------------------------------------------------------------------- View
 *
 * The rules and the view as numbers. A set of families is a mask, bit 0 for red; so is a set of seats. Cards are
 * counted by kind in the order of the protocol: six clans, six travels, the wild one, recruitment, boss, STOP.
 */

enum { FAMILIES = 6, EVERY_FAMILY = (1 << FAMILIES) - 1, SEATS = 6, KINDS = 16, SPACES = 64, NOBODY = -1 };
enum { CLAN = 0, TRAVEL = 6, WILD = 12, RECRUITMENT = 13, BOSS = 14, STOP = 15 };

static const char *const FAMILY[FAMILIES] = {"red", "yellow", "blue", "magenta", "orange", "green"};
static const char *const CARD[KINDS] = {
    "clan red", "clan yellow", "clan blue", "clan magenta", "clan orange", "clan green",
    "travel red", "travel yellow", "travel blue", "travel magenta", "travel orange", "travel green",
    "travel wild", "recruitment", "boss", "stop",
};

typedef unsigned Set;

/* A choice group: exactly `choose` different ones of `from`. */
typedef struct {
    int choose;
    Set from;
} Group;

typedef struct {
    int dividends, group_count;
    Set required;
    Group groups[FAMILIES]; /* each needs a family of its own, so that there can be no more */
} Space;

/* An offer (`by` a seat `to` another) or an agreement (the Boss and `partner`): whose cards, and the price. */
typedef struct {
    int by, to, partner, price;
    Set placards, clans;
} Terms;

typedef struct {
    Terms *items;
    int count, size;
} TermsList;

typedef enum { PLAY_OTHER, PLAY_TRAVEL, PLAY_BOSS, PLAY_RECRUIT } Play;

typedef struct {
    Space spaces[SPACES];
    int space_count, max_offers, hand_limit, min_cards_to_deal;
    bool whole_dividends, self_sufficient_close, active_to_be_paid, fair_share, pay_all_agreements, reopen_failed;
    bool triple_at_limit;
    Set end_rolls; /* deal cards that may end the match */
} Rules;

typedef struct {
    int seat, players, turn, deal, dividend, proceeds, boss, tick, quiet;
    Space space;
    uint64_t uncovered;  /* a set of spaces */
    int owner[FAMILIES]; /* of each placard, or NOBODY */
    Set travelling, active;
    int hand[KINDS], hand_sizes[SEATS], laid[SEATS][FAMILIES];
    long long wealth[SEATS];
    bool rolled, must_deal, failed_here;
    TermsList offers, agreements;
    /* of one hook each */
    Terms offer;
    Play play; /* that may be stopped */
    int play_family;
    bool can_stop, cards_only;
    int excess;
} View;

static int size_of(Set set)
{
    int size = 0;
    for (; set; set &= set - 1)
        size++;
    return size;
}

static bool has(Set set, int member)
{
    return member >= 0 && member < 32 && set >> member & 1;
}

static void append(TermsList *list, Terms terms)
{
    if (list->count == list->size) {
        list->size = list->size ? list->size * 2 : 32;
        list->items = room(list->items, (size_t)list->size, sizeof(Terms));
    }
    list->items[list->count++] = terms;
}

/* An amount or a count; what is none is 0, and nothing is so large that sums could overflow. */
static int read_amount(const Json *value)
{
    int amount = json_int(value, 0);
    return amount < 0 ? 0 : amount > 1000000 ? 1000000 : amount;
}

static int read_family(const Json *value)
{
    for (int family = 0; family < FAMILIES; family++)
        if (text_is(value, FAMILY[family]))
            return family;
    return NOBODY;
}

static Set read_families(const Json *list)
{
    Set set = 0;
    for (const Json *each = list->first; each; each = each->next) {
        int family = read_family(each);
        if (family != NOBODY)
            set |= 1u << family;
    }
    return set;
}

static Set read_set(const Json *list)
{
    Set set = 0;
    for (const Json *each = list->first; each; each = each->next) {
        int member = json_int(each, NOBODY);
        if (member >= 0 && member < 32)
            set |= 1u << member;
    }
    return set;
}

static int read_seat(const Json *value)
{
    int seat = json_int(value, NOBODY);
    return seat >= 0 && seat < SEATS ? seat : NOBODY;
}

static Group read_group(const Json *value)
{
    Group group = {read_amount(json_get(value, "choose")), read_families(json_get(value, "from"))};
    return group;
}

/* A single group stands in the space itself, two or more in `choices`. */
static Space read_space(const Json *value)
{
    const Json *each = json_get(value, "choices")->first;
    Space space = {
        read_amount(json_get(value, "dividends")), 0, read_families(json_get(value, "required")), {{0, 0}},
    };
    if (!each)
        space.groups[space.group_count++] = read_group(value);
    for (; each && space.group_count < FAMILIES; each = each->next)
        space.groups[space.group_count++] = read_group(each);
    return space;
}

static void read_rules(Rules *rules, const Json *from)
{
    memset(rules, 0, sizeof *rules);
    for (const Json *each = json_get(from, "spaces")->first; each && rules->space_count < SPACES; each = each->next)
        rules->spaces[rules->space_count++] = read_space(each);
    for (const Json *each = json_get(from, "end_rolls")->first; each; each = each->next) {
        long deal = strtol(each->key, NULL, 10); /* keys of mappings are texts */
        if (deal > 0 && deal < 32)
            rules->end_rolls |= 1u << deal;
    }
    rules->max_offers = json_int(json_get(from, "max_offers"), 1);
    rules->hand_limit = json_int(json_get(from, "hand_limit"), 12);
    rules->min_cards_to_deal = json_int(json_get(from, "min_cards_to_deal"), 0);
    rules->whole_dividends = text_is(json_get(from, "prices"), "dividends");
    rules->triple_at_limit = !text_is(json_get(from, "triple_at_limit"), "no");
    rules->self_sufficient_close = json_true(json_get(from, "self_sufficient_close"));
    rules->active_to_be_paid = json_true(json_get(from, "active_to_be_paid"));
    rules->fair_share = json_true(json_get(from, "fair_share"));
    rules->pay_all_agreements = json_true(json_get(from, "pay_all_agreements"));
    rules->reopen_failed = json_true(json_get(from, "reopen_failed"));
}

static Terms read_terms(const Json *value)
{
    Terms terms = {
        NOBODY, read_seat(json_get(value, "to")), read_seat(json_get(value, "partner")),
        read_amount(json_get(value, "price")), read_families(json_get(value, "placards")),
        read_families(json_get(value, "clans")),
    };
    return terms;
}

static void read_offers(View *view, const Json *list)
{
    view->offers.count = 0;
    for (const Json *each = list->first; each; each = each->next) {
        Terms terms = read_terms(json_get(each, "offer"));
        terms.by = read_seat(json_get(each, "by"));
        if (terms.by != NOBODY)
            append(&view->offers, terms);
    }
}

static void read_agreements(View *view, const Json *list)
{
    view->agreements.count = 0;
    for (const Json *each = list->first; each; each = each->next) {
        Terms terms = read_terms(each);
        if (terms.partner != NOBODY)
            append(&view->agreements, terms);
    }
}

static void read_placards(View *view, const Json *list)
{
    view->travelling = 0;
    for (const Json *each = list->first; each; each = each->next) {
        int family = read_family(json_get(each, "family"));
        if (family == NOBODY)
            continue;
        view->owner[family] = read_seat(json_get(each, "owner"));
        if (json_true(json_get(each, "travelling")))
            view->travelling |= 1u << family;
    }
}

static void read_hand(View *view, const Json *list)
{
    memset(view->hand, 0, sizeof view->hand);
    for (const Json *each = list->first; each; each = each->next)
        for (int kind = 0; kind < KINDS; kind++)
            if (text_is(each, CARD[kind]))
                view->hand[kind]++;
}

static void read_laid(View *view, const Json *list)
{
    int seat = 0;
    memset(view->laid, 0, sizeof view->laid);
    for (const Json *each = list->first; each && seat < SEATS; each = each->next, seat++)
        for (const Json *clan = each->first; clan; clan = clan->next) {
            int family = read_family(clan);
            if (family != NOBODY)
                view->laid[seat][family]++;
        }
}

/* Everybody's money, from what closed deals have paid: it is public, though only one's own is shown. */
static void read_ledger(View *view, const Json *list)
{
    memset(view->wealth, 0, sizeof view->wealth);
    for (const Json *deal = list->first; deal; deal = deal->next) {
        int boss = read_seat(json_get(deal, "boss")), seat = 0;
        if (boss == NOBODY)
            continue;
        view->wealth[boss] += read_amount(json_get(deal, "proceeds"));
        for (const Json *each = json_get(deal, "paid")->first; each && seat < SEATS; each = each->next, seat++) {
            view->wealth[seat] += read_amount(each);
            view->wealth[boss] -= read_amount(each);
        }
    }
}

static void read_uncovered(View *view, const Json *list)
{
    view->uncovered = 0;
    for (const Json *each = list->first; each; each = each->next) {
        int space = json_int(each, NOBODY);
        if (space >= 0 && space < SPACES)
            view->uncovered |= (uint64_t)1 << space;
    }
}

static void read_can_stop(View *view, const Json *value)
{
    const Json *play = json_get(value, "play"), *move = json_get(play, "move");
    view->can_stop = value->kind == JSON_OBJECT;
    view->play = text_is(move, "travel")  ? PLAY_TRAVEL
               : text_is(move, "boss")    ? PLAY_BOSS
               : text_is(move, "recruit") ? PLAY_RECRUIT
                                          : PLAY_OTHER;
    view->play_family = read_family(json_get(play, view->play == PLAY_TRAVEL ? "family" : "placard"));
}

static void read_hand_sizes(View *view, const Json *list)
{
    int seat = 0;
    for (const Json *each = list->first; each && seat < SEATS; each = each->next)
        view->hand_sizes[seat++] = read_amount(each);
}

/* Put fields of a view into `view`: all of them, or those that have changed. */
static void read_view(View *view, const Json *fields)
{
    static const struct {
        const char *name;
        size_t offset;
    } NUMBERS[] = {
        {"seat", offsetof(View, seat)},         {"players", offsetof(View, players)},
        {"turn", offsetof(View, turn)},         {"deal", offsetof(View, deal)},
        {"dividend", offsetof(View, dividend)}, {"proceeds", offsetof(View, proceeds)},
        {"tick", offsetof(View, tick)},         {"quiet", offsetof(View, quiet)},
        {"excess", offsetof(View, excess)},
    }, FLAGS[] = {
        {"rolled", offsetof(View, rolled)},           {"must_deal", offsetof(View, must_deal)},
        {"failed_here", offsetof(View, failed_here)}, {"cards_only", offsetof(View, cards_only)},
    };
    static const struct {
        const char *name;
        void (*read)(View *, const Json *);
    } LISTS[] = {
        {"placards", read_placards}, {"hand", read_hand},     {"hand_sizes", read_hand_sizes},
        {"laid", read_laid},         {"ledger", read_ledger}, {"uncovered", read_uncovered},
        {"offers", read_offers},     {"agreements", read_agreements}, {"can_stop", read_can_stop},
    };
    for (const Json *each = fields->first; each; each = each->next) {
        for (size_t index = 0; index < sizeof NUMBERS / sizeof *NUMBERS; index++)
            if (key_is(each, NUMBERS[index].name))
                *(int *)((char *)view + NUMBERS[index].offset) = read_amount(each);
        for (size_t index = 0; index < sizeof FLAGS / sizeof *FLAGS; index++)
            if (key_is(each, FLAGS[index].name))
                *(bool *)((char *)view + FLAGS[index].offset) = json_true(each);
        for (size_t index = 0; index < sizeof LISTS / sizeof *LISTS; index++)
            if (key_is(each, LISTS[index].name))
                LISTS[index].read(view, each);
        if (key_is(each, "space"))
            view->space = read_space(each);
        else if (key_is(each, "boss"))
            view->boss = read_seat(each);
        else if (key_is(each, "active"))
            view->active = read_set(each);
        else if (key_is(each, "offer"))
            view->offer = read_terms(each);
    }
}

/* How many needs of a space the families `have` fill at most (B4.2). The groups may share families, so this is the
 * least, over all sets of groups, of what that set asks for and how many families the other groups find (Hall). */
static int filled(Space space, Set have)
{
    int least = FAMILIES;
    for (unsigned chosen = 0; chosen < 1u << space.group_count; chosen++) {
        Set others = 0;
        int sum = 0;
        for (int index = 0; index < space.group_count; index++) {
            if (chosen >> index & 1)
                sum += space.groups[index].choose;
            else
                others |= space.groups[index].from;
        }
        sum += size_of(others & have & ~space.required);
        least = sum < least ? sum : least;
    }
    return size_of(space.required & have) + least;
}

/* Whether the view is one that the strategy can rely on: seats are indices into its arrays. */
static bool is_sound(const View *view)
{
    bool needs_somebody = filled(view->space, EVERY_FAMILY) > 0;
    return view->seat < view->players && view->players <= SEATS && view->dividend > 0 && needs_somebody;
}

/* --------------------------------------------------------------------------------------------------------- Strategy
 *
 * One function for each hook, from a view to a Move. Every offer passes may_offer() and every closing comes from
 * find_closing(), which know the rules; a fault costs more than any idea is worth.
 */

typedef enum { BAR, RIPE, ASK, LEAST, OPTIONS } Option;

static struct {
    const char *name;
    double value;
} options[OPTIONS] = {
    [BAR] = {"bar", 4},     /* dividends that a deal must promise before it is opened */
    [RIPE] = {"ripe", 4},   /* $M that a dividend must be worth before that */
    [ASK] = {"ask", 1.5},   /* dividends asked for a card at first */
    [LEAST] = {"least", 1}, /* and at last */
};

typedef struct {
    const View *view;
    const Rules *rules;
    uint64_t seed;
} Game;

typedef enum {
    MOVE_NOTHING, MOVE_PLACE, MOVE_OPEN, MOVE_ROLL, MOVE_DRAW, MOVE_OFFERS, MOVE_YES, MOVE_NO, MOVE_TRAVEL,
    MOVE_TAKE_OVER, MOVE_STOP, MOVE_RECRUIT, MOVE_CLOSE, MOVE_DISCARD,
} MoveKind;

typedef struct {
    MoveKind kind;
    int space, family, clan_of;
    bool wild;
    Set placards, clans;
    TermsList *terms; /* offers, or the partners of a closing */
    int cards[KINDS]; /* to discard */
    const char *say;
} Move;

static const Move NOTHING = {MOVE_NOTHING, 0, 0, NOBODY, false, 0, 0, NULL, {0}, NULL};

static Move plain(MoveKind kind)
{
    Move move = NOTHING;
    move.kind = kind;
    return move;
}

/* How many investors a space needs. */
static int needs(Space space)
{
    int sum = size_of(space.required);
    for (int index = 0; index < space.group_count; index++)
        sum += space.groups[index].choose;
    return sum;
}

/* How many investors a space still needs beyond the families `have`. */
static int lacking(Space space, Set have)
{
    return needs(space) - filled(space, have);
}

/* The families any one of which would help beyond the families `have`. */
static Set wanted(Space space, Set have)
{
    Set helpful = 0;
    for (int family = 0; family < FAMILIES; family++)
        if (filled(space, have | 1u << family) > filled(space, have))
            helpful |= 1u << family;
    return helpful;
}

/* Every family that may take part in the deal on a space. */
static Set families_of(Space space)
{
    return wanted(space, 0);
}

static bool fair_shares(const Game *game)
{
    return game->rules->fair_share || game->view->players == 2;
}

/* The families whose placards a seat can bring into a deal. */
static Set placards_of(const View *view, int seat)
{
    Set set = 0;
    for (int family = 0; family < FAMILIES; family++)
        if (view->owner[family] == seat && !has(view->travelling, family))
            set |= 1u << family;
    return set;
}

static Set laid_by(const View *view, int seat)
{
    Set set = 0;
    for (int family = 0; seat != NOBODY && family < FAMILIES; family++)
        if (view->laid[seat][family])
            set |= 1u << family;
    return set;
}

static Set clans_in_hand(const View *view)
{
    Set set = 0;
    for (int family = 0; family < FAMILIES; family++)
        if (view->hand[CLAN + family])
            set |= 1u << family;
    return set;
}

/* The families that this seat can stand for. */
static Set mine(const View *view)
{
    return placards_of(view, view->seat) | laid_by(view, view->seat) | clans_in_hand(view);
}

/* The families that somebody visibly stands for. */
static Set on_table(const View *view)
{
    Set set = 0;
    for (int seat = 0; seat < view->players; seat++)
        set |= placards_of(view, seat) | laid_by(view, seat);
    return set;
}

static Set promised_placards(const View *view)
{
    Set set = 0;
    for (int index = 0; index < view->agreements.count; index++)
        set |= view->agreements.items[index].placards;
    return set;
}

/* How many clan cards of a family a seat has on the table that are not promised. */
static int free_clans(const View *view, int seat, int family)
{
    int count = view->laid[seat][family];
    for (int index = 0; index < view->agreements.count; index++)
        if (view->agreements.items[index].partner == seat && has(view->agreements.items[index].clans, family))
            count--;
    return count;
}

/* The families of which this seat could still promise a clan card. */
static Set clans_to_give(const View *view)
{
    Set set = 0;
    for (int family = 0; family < FAMILIES; family++)
        if (view->hand[CLAN + family] + free_clans(view, view->seat, family) > 0)
            set |= 1u << family;
    return set;
}

/* The families the Boss could name now: own cards on the table, agreements and open offers. */
static Set boss_has(const Game *game)
{
    const View *view = game->view;
    if (fair_shares(game))
        return on_table(view);
    Set set = placards_of(view, view->boss) | laid_by(view, view->boss);
    for (int index = 0; index < view->agreements.count; index++)
        set |= view->agreements.items[index].placards | view->agreements.items[index].clans;
    for (int index = 0; index < view->offers.count; index++)
        if (view->offers.items[index].to == view->boss)
            set |= view->offers.items[index].placards | view->offers.items[index].clans;
    return set;
}

static bool has_agreement(const View *view)
{
    for (int index = 0; index < view->agreements.count; index++)
        if (view->agreements.items[index].partner == view->seat)
            return true;
    return false;
}

/* What this seat's agreements and offers would bring it if the Boss used them all, in dividends. */
static double my_income(const View *view)
{
    int sum = 0;
    for (int index = 0; index < view->agreements.count; index++)
        if (view->agreements.items[index].partner == view->seat)
            sum += view->agreements.items[index].price;
    for (int index = 0; index < view->offers.count; index++)
        if (view->offers.items[index].by == view->seat && view->seat != view->boss)
            sum += view->offers.items[index].price;
    return (double)sum / view->dividend;
}

static bool is_richest(const View *view, int seat)
{
    for (int other = 0; other < view->players; other++)
        if (view->wealth[other] > view->wealth[seat])
            return false;
    return true;
}

/* The legal price nearest below `price`, and at least the least there is (B4.4). */
static int legal_price(const Game *game, double price)
{
    int step = game->rules->whole_dividends ? game->view->dividend : 1;
    int steps = price >= step ? (int)(price / step) : 1;
    int legal = steps * step;
    return legal < game->view->proceeds ? legal : game->view->proceeds;
}

/* Whether the rules allow an offer (B4.4, B4.5); it names one card, so its families need no look. */
static bool may_offer(const Game *game, const TermsList *offers, Terms offer)
{
    const View *view = game->view;
    int partner = view->seat == view->boss ? offer.to : view->seat;
    Set placards = placards_of(view, partner) & ~promised_placards(view);
    Set clans = partner == view->seat ? clans_to_give(view) : (1u << FAMILIES) - 1;
    if (offers->count >= game->rules->max_offers || offer.to == view->seat || offer.to == NOBODY)
        return false;
    if (offer.price > view->proceeds || size_of(offer.placards | offer.clans) != 1)
        return false;
    if (offer.placards & ~placards || offer.clans & ~clans)
        return false;
    for (int index = 0; index < offers->count; index++) {
        Terms other = offers->items[index];
        if (other.to == offer.to && other.price == offer.price && other.placards == offer.placards
            && other.clans == offer.clans)
            return false;
    }
    return true;
}

static void add_offer(const Game *game, TermsList *offers, int to, double price, Set placards, Set clans)
{
    Terms offer = {game->view->seat, to, NOBODY, legal_price(game, price), placards, clans};
    if (may_offer(game, offers, offer))
        append(offers, offer);
}

/* How much the spaces still to come want a family, in dividends. */
static double demand(const Game *game, int family)
{
    double sum = 0;
    for (int index = 0; index < game->rules->space_count; index++) {
        Space space = game->rules->spaces[index];
        if (!(game->view->uncovered >> index & 1))
            continue;
        if (has(space.required, family))
            sum += space.dividends;
        for (int place = 0; place < space.group_count; place++) {
            Group group = space.groups[place];
            if (has(group.from & ~space.required, family))
                sum += (double)space.dividends * group.choose / size_of(group.from) / 2;
        }
    }
    return sum;
}

/* The placards that a recruitment triple may take: those aside, else those of the others (B5.4). */
static Set recruitable(const View *view)
{
    Set aside = 0, others = 0;
    for (int family = 0; family < FAMILIES; family++) {
        if (view->owner[family] == NOBODY)
            aside |= 1u << family;
        else if (view->owner[family] != view->seat)
            others |= 1u << family;
    }
    if (view->hand[RECRUITMENT] < 3)
        return 0;
    return aside ? aside : others;
}

/* The play of a triple for the placard most in demand, one of `best` if it can be had. */
static Move recruit(const Game *game, Set best)
{
    Set from = recruitable(game->view);
    Move move = plain(MOVE_RECRUIT);
    double most = -1;
    if (from & best)
        from &= best;
    for (int family = 0; family < FAMILIES; family++)
        if (has(from, family) && demand(game, family) > most) {
            most = demand(game, family);
            move.family = family;
        }
    return move;
}

/* Whether the cards in sight fill the space, or would with a placard recruited from those aside. */
static bool within_reach(const View *view)
{
    Set seen = mine(view) | on_table(view);
    if (!lacking(view->space, seen))
        return true;
    if (lacking(view->space, seen) > 1)
        return false;
    for (int family = 0; family < FAMILIES; family++)
        if (has(recruitable(view) & wanted(view->space, seen), family) && view->owner[family] == NOBODY)
            return true;
    return false;
}

/* The dividends that the deal would leave this seat as its Boss; below 0 where it is out of reach. */
static double hope(const Game *game)
{
    const View *view = game->view;
    double partner = fair_shares(game) ? (double)view->space.dividends / needs(view->space) : 0.9;
    return within_reach(view) ? view->space.dividends - partner * lacking(view->space, mine(view)) : -1;
}

/* A number from 0 to below 1 that follows from the seed, the turn and `name`: chance that repeats itself. */
static double chance(const Game *game, unsigned name)
{
    uint64_t mix = game->seed + (uint64_t)0x9E3779B97F4A7C15 * ((uint64_t)game->view->turn * 64 + name + 1);
    mix = (mix ^ mix >> 30) * (uint64_t)0xBF58476D1CE4E5B9;
    mix = (mix ^ mix >> 27) * (uint64_t)0x94D049BB133111EB;
    return (double)((mix ^ mix >> 31) >> 11) / 9007199254740992.0;
}

/* One way to fill needs: a card of one's own, or an agreement with all its cards. */
typedef struct {
    bool there, own;
    int rank; /* cost first, then own clan cards spent */
    Terms terms;
} Source;

typedef struct {
    bool found;
    int cost;
    Set placards, clans;
    TermsList partners;
} Closing;

static void consider(Source sources[1 << FAMILIES], const View *view, Terms terms, int cost, bool own)
{
    Set cards = terms.placards | terms.clans;
    Source source = {true, own, cost * 16 + (own && terms.clans), terms};
    if (!cards || cards & ~families_of(view->space))
        return;
    if (!sources[cards].there || source.rank < sources[cards].rank)
        sources[cards] = source;
}

static bool may_be_paid(const Game *game, int seat)
{
    return !game->rules->active_to_be_paid || has(game->view->active, seat);
}

/* The cheapest source for every set of families (B4.3 to B4.5, B9.1); returns what is paid in any case. */
static int find_sources(const Game *game, Source sources[1 << FAMILIES])
{
    const View *view = game->view;
    int fixed = 0, boss = view->seat;
    for (int family = 0; family < FAMILIES; family++) {
        Set one = 1u << family;
        Terms placard = {boss, NOBODY, boss, 0, one, 0}, clan = {boss, NOBODY, boss, 0, 0, one};
        if (placards_of(view, boss) & one)
            consider(sources, view, placard, 0, true);
        if ((laid_by(view, boss) | clans_in_hand(view)) & one)
            consider(sources, view, clan, 0, true);
    }
    for (int index = 0; index < view->agreements.count; index++) {
        Terms terms = view->agreements.items[index];
        bool always = game->rules->pay_all_agreements || !(terms.placards | terms.clans);
        if (!may_be_paid(game, terms.partner))
            continue;
        if (always)
            fixed += terms.price;
        consider(sources, view, terms, always ? 0 : terms.price, false);
    }
    for (int index = 0; index < view->offers.count; index++) {
        Terms terms = view->offers.items[index];
        terms.partner = terms.by;
        if (terms.to == boss && may_be_paid(game, terms.partner))
            consider(sources, view, terms, terms.price, false);
    }
    for (int seat = 0; seat < view->players && fair_shares(game); seat++)
        for (int family = 0; family < FAMILIES && seat != boss; family++) {
            int price = view->proceeds / needs(view->space);
            Set one = 1u << family;
            Terms placard = {seat, NOBODY, seat, price, one, 0}, clan = {seat, NOBODY, seat, price, 0, one};
            if (has(placards_of(view, seat) & ~promised_placards(view), family))
                consider(sources, view, placard, price, false);
            if (free_clans(view, seat, family) > 0)
                consider(sources, view, clan, price, false);
        }
    return fixed;
}

/* The cheapest closing there is now, into `closing`. */
static void find_closing(const Game *game, Closing *closing)
{
    const View *view = game->view;
    Source sources[1 << FAMILIES] = {{0}};
    int rank[1 << FAMILIES], last[1 << FAMILIES]; /* of the cheapest way to each set, and its last source */
    int fixed = find_sources(game, sources), best = -1;
    for (Set set = 0; set < 1 << FAMILIES; set++) {
        rank[set] = set ? INT_MAX : 0;
        for (Set part = set; part; part = (part - 1) & set) {
            if (!sources[part].there || rank[set & ~part] == INT_MAX)
                continue;
            if (rank[set & ~part] + sources[part].rank < rank[set]) {
                rank[set] = rank[set & ~part] + sources[part].rank;
                last[set] = (int)part;
            }
        }
        if (rank[set] != INT_MAX && size_of(set) == needs(view->space) && !lacking(view->space, set))
            if (best < 0 || rank[set] < rank[best])
                best = (int)set;
    }
    closing->found = false;
    if (best < 0 || fixed + rank[best] / 16 > view->proceeds)
        return;
    closing->found = true;
    closing->cost = fixed + rank[best] / 16;
    closing->placards = closing->clans = 0;
    closing->partners.count = 0;
    for (int set = best; set; set &= ~last[set]) {
        Source source = sources[last[set]];
        if (source.own) {
            closing->placards |= source.terms.placards;
            closing->clans |= source.terms.clans;
        } else {
            append(&closing->partners, source.terms);
        }
    }
}

static Move on_place_marker(const Game *game)
{
    /* Somebody else begins here: the space that pays least, by chance if there are several. */
    Move move = plain(MOVE_PLACE);
    double least = 1e9;
    for (int index = 0; index < game->rules->space_count; index++) {
        double pays = game->rules->spaces[index].dividends + chance(game, (unsigned)index);
        if (pays < least) {
            least = pays;
            move.space = index;
        }
    }
    return move;
}

static bool may_open(const Game *game)
{
    int cards = 0;
    for (int kind = 0; kind < KINDS; kind++)
        cards += game->view->hand[kind];
    return cards >= game->rules->min_cards_to_deal && (game->rules->reopen_failed || !game->view->failed_here);
}

/* Lay what the space needs beyond own placards: where that closes the deal at once (B4.7). */
static Set clans_to_lay(const View *view)
{
    Set have = placards_of(view, view->seat), lay = 0;
    for (int family = 0; family < FAMILIES; family++)
        if (has(clans_in_hand(view) & wanted(view->space, have | lay), family))
            lay |= 1u << family;
    return lay;
}

static Move on_turn(const Game *game)
{
    const View *view = game->view;
    bool alone = !lacking(view->space, mine(view));
    bool full = view->hand_sizes[view->seat] >= game->rules->hand_limit;
    bool ending = has(game->rules->end_rolls, view->deal);
    double bar = full || ending ? 2 : options[BAR].value;
    bool ripe = full || view->dividend >= options[RIPE].value;
    Move open = plain(MOVE_OPEN);
    open.say = "Every card has its price.";
    if (alone && game->rules->self_sufficient_close)
        open.clans = clans_to_lay(view);
    if (may_open(game) && (alone || !view->failed_here)) {
        if (alone && game->rules->self_sufficient_close)
            return open;
        if (ripe && hope(game) >= bar)
            return open;
    }
    if (!view->rolled)
        return plain(MOVE_ROLL);
    return view->must_deal ? open : plain(MOVE_DRAW);
}

static TermsList list; /* what the last move names */

/* As the Boss: for each card that is missing a ladder of prices, the cheapest first. */
static Move bid(const Game *game)
{
    const View *view = game->view;
    Set promised = 0, seen = 0, open, scarce;
    for (int index = 0; index < view->agreements.count; index++)
        promised |= view->agreements.items[index].placards | view->agreements.items[index].clans;
    for (int seat = 0; seat < view->players; seat++)
        seen |= placards_of(view, seat);
    if (!lacking(view->space, mine(view)))
        return NOTHING;
    open = wanted(view->space, mine(view)) & ~promised;
    scarce = wanted(view->space, mine(view) | seen);
    double low = 0.7 * view->dividend, high = (1.05 + 0.15 * view->tick) * view->dividend;
    double most = 0.75 * view->proceeds / lacking(view->space, mine(view));
    high = high < most ? high : most;
    high = high > low ? high : low;
    list.count = 0;
    for (int step = 0; step < 4; step++) {
        double price = low + (high - low) * step / 3;
        for (int family = 0; family < FAMILIES; family++)
            if (has(open & seen, family))
                add_offer(game, &list, view->owner[family], price, 1u << family, 0);
        for (int family = 0; family < FAMILIES; family++)
            for (int seat = 0; seat < view->players; seat++)
                if (has(open & scarce, family) && (view->hand_sizes[seat] || laid_by(view, seat)))
                    add_offer(game, &list, seat, price, 0, 1u << family);
    }
    Move move = plain(MOVE_OFFERS);
    move.terms = &list;
    return move;
}

/* The price asked for a card: less in every tick, down to the least. */
static double asked(const View *view)
{
    double dividends = options[ASK].value - 0.15 * (view->tick - 1);
    return view->dividend * (dividends > options[LEAST].value ? dividends : options[LEAST].value);
}

/* As a partner: each card that the Boss may still need, a clan card only in place of a placard. */
static Move sell(const Game *game)
{
    const View *view = game->view;
    Set have = placards_of(view, view->boss) | laid_by(view, view->boss);
    for (int index = 0; index < view->agreements.count; index++)
        have |= view->agreements.items[index].placards | view->agreements.items[index].clans;
    Set open = wanted(view->space, have), placards = placards_of(view, view->seat);
    list.count = 0;
    for (int family = 0; family < FAMILIES; family++)
        if (has(open & placards, family))
            add_offer(game, &list, view->boss, asked(view), 1u << family, 0);
    for (int family = 0; family < FAMILIES; family++)
        if (has(open & ~placards & clans_to_give(view), family))
            add_offer(game, &list, view->boss, 1.25 * asked(view), 0, 1u << family);
    Move move = plain(MOVE_OFFERS);
    move.terms = &list;
    return move;
}

static Move on_offer(const Game *game)
{
    return game->view->seat == game->view->boss ? bid(game) : sell(game);
}

static Move on_accept(const Game *game)
{
    const View *view = game->view;
    Terms offer = view->offer;
    double least = options[LEAST].value * view->dividend * (offer.clans ? 1.25 : 1);
    if (view->seat == view->boss || offer.clans & ~clans_to_give(view) || offer.price < legal_price(game, least))
        return plain(MOVE_NO);
    for (int index = 0; index < view->offers.count; index++) {
        Terms other = view->offers.items[index]; /* of a ladder only the top */
        if (other.by == view->boss && other.to == view->seat && other.placards == offer.placards
            && other.clans == offer.clans && other.price > offer.price)
            return plain(MOVE_NO);
    }
    return plain(MOVE_YES);
}

/* A travel play after which the cards in sight no longer suffice for the deal, an ordinary card before a wild one. */
static Move spoil(const Game *game)
{
    const View *view = game->view;
    Set seen = on_table(view);
    for (int wild = 0; wild < 2; wild++)
        for (int family = 0; family < FAMILIES && !lacking(view->space, seen); family++) {
            bool card = wild ? view->hand[WILD] && !view->hand[TRAVEL + family] : view->hand[TRAVEL + family];
            int clans = 0, holder = NOBODY;
            for (int seat = 0; seat < view->players; seat++)
                if (view->laid[seat][family]) {
                    clans += view->laid[seat][family];
                    holder = seat;
                }
            bool placard = view->owner[family] != NOBODY && !has(view->travelling, family);
            if (!card || !lacking(view->space, seen & ~(1u << family)))
                continue;
            if (placard ? clans > 0 || view->owner[family] == view->seat : clans != 1 || holder == view->seat)
                continue;
            Move move = plain(MOVE_TRAVEL);
            move.family = family;
            move.clan_of = placard ? NOBODY : holder;
            move.wild = wild;
            return move;
        }
    return NOTHING;
}

/* Whether a play is worth a STOP. */
static bool hurts(const View *view)
{
    bool boss = view->seat == view->boss;
    if (view->play == PLAY_BOSS)
        return boss;
    if (view->play == PLAY_RECRUIT && has(placards_of(view, view->seat), view->play_family))
        return true;
    if (boss)
        return has(families_of(view->space), view->play_family);
    return my_income(view) >= 1.5 && has_agreement(view);
}

static Move on_interrupt(const Game *game)
{
    const View *view = game->view;
    if (view->can_stop)
        return view->hand[STOP] && hurts(view) ? plain(MOVE_STOP) : NOTHING;
    if (view->boss == NOBODY)
        return NOTHING;
    if (recruitable(view))
        return recruit(game, view->seat == view->boss ? wanted(view->space, mine(view)) : 0);
    if (view->seat == view->boss)
        return NOTHING;
    double income = my_income(view);
    if (view->hand[BOSS] && view->dividend >= 3 && hope(game) >= income + 1)
        return plain(MOVE_TAKE_OVER);
    /* A deal that leaves this seat out, or makes the leader richer, is worth a travel card. */
    double bearable = is_richest(view, view->boss) ? 2 : 0.6;
    if (income < bearable && lacking(view->space, boss_has(game)) <= 1)
        return spoil(game);
    return NOTHING;
}

static Move on_close(const Game *game)
{
    static Closing closing;
    find_closing(game, &closing);
    if (!closing.found || game->view->proceeds - closing.cost < game->view->dividend)
        return NOTHING;
    Move move = plain(MOVE_CLOSE);
    move.placards = closing.placards;
    move.clans = closing.clans;
    move.terms = &closing.partners;
    return move;
}

static double worth(int kind)
{
    switch (kind) {
    case STOP:
    case BOSS: return 4;
    case RECRUITMENT: return 2.5;
    default: return kind < TRAVEL ? 2.5 : 1.5;
    }
}

/* The cards of least worth; the third and each further one of a kind is worth half, but for recruitment. */
static Move on_discard(const Game *game)
{
    const View *view = game->view;
    if (recruitable(view) && !view->cards_only && game->rules->triple_at_limit)
        return recruit(game, 0);
    Move move = plain(MOVE_DISCARD);
    for (int count = 0; count < view->excess; count++) {
        int least = NOBODY;
        double lowest = 1e9;
        for (int kind = 0; kind < KINDS; kind++) {
            int left = view->hand[kind] - move.cards[kind];
            double value = worth(kind) / (left > 2 && kind != RECRUITMENT ? 2 : 1);
            if (left > 0 && value < lowest) {
                lowest = value;
                least = kind;
            }
        }
        if (least != NOBODY)
            move.cards[least]++;
    }
    return move;
}

/* --------------------------------------------------------------------------------------------------------- Protocol
 *
 * Lines in, lines out. What cannot be read is passed over with a word on standard error: arena is trusted, but a bot
 * that is copied should not fall over a field of tomorrow.
 */

static const struct {
    const char *name;
    Move (*answer)(const Game *);
} HOOKS[] = {
    {"place_marker", on_place_marker}, {"turn", on_turn},   {"offer", on_offer},     {"accept", on_accept},
    {"interrupt", on_interrupt},       {"close", on_close}, {"discard", on_discard},
};

enum { HOOK_COUNT = sizeof HOOKS / sizeof *HOOKS };

/* Reads a line of any length, without its line feed; false at the end. */
static bool read_line(char **line, size_t *size, size_t *length)
{
    int c;
    *length = 0;
    while ((c = getc(stdin)) != EOF && c != '\n') {
        if (*length + 2 > *size) {
            *size = *size ? *size * 2 : 4096;
            *line = room(*line, *size, 1);
        }
        (*line)[(*length)++] = (char)c;
    }
    if (!*length && c == EOF)
        return false;
    if (!*size)
        *line = room(*line, *size = 4096, 1);
    (*line)[*length] = '\0';
    return true;
}

static void put_families(const char *name, Set families)
{
    const char *between = "";
    printf(",\"%s\":[", name);
    for (int family = 0; family < FAMILIES; family++)
        if (has(families, family)) {
            printf("%s\"%s\"", between, FAMILY[family]);
            between = ",";
        }
    printf("]");
}

static void put_terms(const char *name, const char *whose, const TermsList *terms)
{
    printf(",\"%s\":[", name);
    for (int index = 0; index < terms->count; index++) {
        Terms each = terms->items[index];
        int seat = strcmp(whose, "to") == 0 ? each.to : each.partner;
        printf("%s{\"%s\":%d,\"price\":%d", index ? "," : "", whose, seat, each.price);
        put_families("placards", each.placards);
        put_families("clans", each.clans);
        printf("}");
    }
    printf("]");
}

static void put_cards(const int cards[KINDS])
{
    const char *between = "";
    printf(",\"cards\":[");
    for (int kind = 0; kind < KINDS; kind++)
        for (int count = 0; count < cards[kind]; count++) {
            printf("%s\"%s\"", between, CARD[kind]);
            between = ",";
        }
    printf("]");
}

static void put_move(const Move *move)
{
    static const char *const NAMES[] = {
        "", "place", "open", "roll", "draw", "offers", "yes", "no", "travel", "boss", "stop", "recruit", "close",
        "discard",
    };
    printf("{\"move\":\"%s\"", NAMES[move->kind]);
    switch (move->kind) {
    case MOVE_PLACE: printf(",\"space\":%d", move->space); break;
    case MOVE_OPEN: put_families("lay", move->clans); break;
    case MOVE_OFFERS: put_terms("offers", "to", move->terms); break;
    case MOVE_RECRUIT: printf(",\"placard\":\"%s\"", FAMILY[move->family]); break;
    case MOVE_DISCARD: put_cards(move->cards); break;
    case MOVE_TRAVEL:
        printf(",\"family\":\"%s\",\"wild\":%s", FAMILY[move->family], move->wild ? "true" : "false");
        if (move->clan_of != NOBODY)
            printf(",\"clan_of\":%d", move->clan_of);
        break;
    case MOVE_CLOSE:
        put_families("placards", move->placards);
        put_families("clans", move->clans);
        put_terms("partners", "partner", move->terms);
        break;
    default: break;
    }
    printf("}");
}

static void send_reply(int id, const Move *move)
{
    printf("{\"type\":\"reply\",\"id\":%d", id);
    if (move->kind != MOVE_NOTHING) {
        printf(",\"move\":");
        put_move(move);
    }
    if (move->say)
        printf(",\"say\":\"%s\"", move->say);
    printf("}\n");
    fflush(stdout);
}

static void send_hello(void)
{
    printf("{\"type\":\"hello\",\"protocol\":2,\"name\":\"broker\",\"games\":[\"board\"],\"views\":\"changes\",\"hooks\":[");
    for (int index = 0; index < HOOK_COUNT; index++)
        printf("%s\"%s\"", index ? "," : "", HOOKS[index].name);
    printf("]}\n");
    fflush(stdout);
}

/* A bot that cannot play with what it was given says so, before anything is played. */
static void send_missing(const char *what)
{
    printf("{\"type\":\"fault\",\"id\":0,\"kind\":\"missing\",\"evidence\":\"no such option or value: ");
    for (; *what; what++)
        putchar(*what >= ' ' && *what <= '~' && *what != '"' && *what != '\\' ? *what : '?');
    printf("; it takes");
    for (int index = 0; index < OPTIONS; index++)
        printf("%s %s", index ? "," : "", options[index].name);
    printf("\"}\n");
    fflush(stdout);
}

static bool set_option(const char *name, size_t length, double value)
{
    for (int index = 0; index < OPTIONS; index++)
        if (same(name, length, options[index].name)) {
            options[index].value = value;
            return true;
        }
    return false;
}

/* `--name=value`: the first argument that is none, or NULL. */
static const char *read_arguments(char **arguments)
{
    for (; *arguments; arguments++) {
        char *name = *arguments + 2, *equals = strchr(*arguments, '='), *end = NULL;
        if (strncmp(*arguments, "--", 2) != 0 || !equals || equals < name)
            return *arguments;
        double value = strtod(equals + 1, &end);
        if (end == equals + 1 || *end || !(value >= 0 && value <= 1000))
            return *arguments;
        if (!set_option(name, (size_t)(equals - name), value))
            return *arguments;
    }
    return NULL;
}

/* The same from the options in `start`. */
static const char *read_options(const Json *given)
{
    for (const Json *each = given->first; each; each = each->next) {
        bool number = each->kind == JSON_NUMBER && each->number >= 0 && each->number <= 1000;
        if (!number || !set_option(each->key, each->key_length, each->number))
            return each->key;
    }
    return NULL;
}

static uint64_t hash(const Json *text) /* FNV-1a */
{
    uint64_t sum = (uint64_t)0xCBF29CE484222325;
    for (size_t index = 0; index < text->length; index++)
        sum = (sum ^ (unsigned char)text->text[index]) * (uint64_t)0x100000001B3;
    return sum;
}

/* The answer to an ask; in a hook it does not know it does nothing. */
static Move answer(const Game *game, const Json *hook)
{
    for (int index = 0; index < HOOK_COUNT; index++)
        if (text_is(hook, HOOKS[index].name) && is_sound(game->view))
            return HOOKS[index].answer(game);
    return NOTHING;
}

int main(int count, char **arguments)
{
    static View view;
    static Rules rules;
    static Parser parser;
    Game game = {&view, &rules, 0};
    char *line = NULL;
    size_t size = 0, length;
    const char *wrong = read_arguments(arguments + (count > 0));

    view.boss = NOBODY;
    if (wrong)
        send_missing(wrong); /* in place of hello */
    else
        send_hello();
    while (read_line(&line, &size, &length)) {
        const Json *message = json_parse(&parser, line, length), *type;
        if (!message) {
            fprintf(stderr, "broker: no JSON: %.60s\n", line);
            continue;
        }
        type = json_get(message, "type");
        if (text_is(type, "start")) {
            game.seed = hash(json_get(message, "seed"));
            read_rules(&rules, json_get(message, "rules"));
            wrong = read_options(json_get(message, "options"));
            if (wrong)
                send_missing(wrong);
            else
                send_reply(0, &NOTHING);
        } else if (text_is(type, "ask")) {
            read_view(&view, json_get(message, "view")); /* whichever of the two there is */
            read_view(&view, json_get(message, "changes"));
            Move move = answer(&game, json_get(message, "hook"));
            send_reply(json_int(json_get(message, "id"), 0), &move);
        } else if (text_is(type, "bye")) {
            break;
        }
    }
    free(line);
    return 0;
}
