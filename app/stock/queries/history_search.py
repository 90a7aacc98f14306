"""The search of a history: rare terms by indexes, frequent ones by walking from the newest row."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter

from sqlalchemy import Select, and_, func, or_, select, union

from app.db import db
from app.divisions import Site
from app.names import key
from app.paging import COUNT_LIMIT, AtLeast
from app.search import TextIndex
from app.stock.models import Item, LedgerEntry, LedgerReason, PastName
from app.stock.queries import history_scope as ledger
from app.stock.queries.history_scope import Condition, Scope
from app.stock.queries.levels import ITEM_NAMES
from app.stock.rules import history as rules
from app.stock.rules.filters import Term, search_terms
from app.stock.rules.history import UNKNOWN_SITE
from app.stock.rules.items import EntryKind
from app.stock.rules.summaries import HistorySums, add_up, total_price
from app.sums import count_matches

MAX_CANDIDATES = COUNT_LIMIT
"""How many entries a term may match to be found by indexes; above that it is frequent."""

_PAST_NAMES = TextIndex(PastName.id, PastName.name_key)
_REASONS = TextIndex(LedgerReason.id, LedgerReason.reason_key)


@dataclass(frozen=True)
class SearchResult:
    """The entries of a search: `ids` by limit and offset; `sums` is None if the total is capped."""

    total: int
    sums: HistorySums | None
    ids: Callable[[int, int], Sequence[int]]


@dataclass(frozen=True)
class Meaning:
    """Where a term can occur: `words` in an item's name, `texts` in others, `values` in columns."""

    scope: Scope
    words: Sequence[str]
    texts: Sequence[Condition] = ()
    values: Sequence[Condition] = ()

    def condition(self) -> Condition:
        """Return the condition of an entry; no index serves it."""
        named = select(Item.id).where(
            Item.id == LedgerEntry.item_id, *ITEM_NAMES.compare(self.words)
        )
        is_named = named.correlate(LedgerEntry).exists()
        return or_(
            is_named, ledger.unindexed_item_id.in_(self._past_names()), *self.texts, *self.values
        )

    def candidates(self) -> Select[int]:
        """Return the ids of the entries that match, by an index for each column."""
        entries = select(LedgerEntry.id).where(ledger.is_listed).limit(MAX_CANDIDATES + 1)
        by_item = [
            LedgerEntry.item_id.in_(select(self._items().subquery())),
            LedgerEntry.item_id.in_(self._past_names()),
        ]
        sites = self.scope.sites
        found = [
            *(
                entries.where(each, ledger.unindexed_site_id.in_(sites))
                for each in (*by_item, *self.texts)
            ),
            *(entries.where(LedgerEntry.site_id.in_(sites), each) for each in self.values),
        ]
        ids = union(*(select(part.subquery()) for part in found)).subquery()
        return select(ids.c.id)

    def count(self) -> tuple[int, bool]:
        """Return the number of candidates, up to MAX_CANDIDATES + 1, and if all were examined."""
        items = select(func.count()).select_from(self._items().subquery()).scalar_subquery()
        some = self.candidates().limit(MAX_CANDIDATES + 1).subquery()
        entries = select(func.count()).select_from(some).scalar_subquery()
        found_items, found_entries = db.session.execute(select(items, entries)).one()
        return found_entries, found_items <= MAX_CANDIDATES

    def _items(self) -> Select[int]:
        """Return ids of items whose names have the words, only some if there are many."""
        items = select(Item.id).where(Item.site_id.in_(self.scope.sites))
        found = ITEM_NAMES.look_up(items, self.words)
        if found is None:
            found = items.where(*ITEM_NAMES.compare(self.words))
        return found.limit(MAX_CANDIDATES + 1)

    def _past_names(self) -> Select[int]:
        return select(PastName.item_id).where(*_PAST_NAMES.contains(self.words))


def search(scope: Scope, *, oldest_first: bool = False) -> SearchResult:
    """Find the entries that match all terms: few at once, pages of many from one end."""
    found = search_conditions(scope)
    conditions = found.conditions
    if found.are_few:
        return _read(scope, *conditions)

    def ids(limit: int, offset: int) -> Sequence[int]:
        newest = scope.newest(*conditions, limit=limit, offset=offset, oldest_first=oldest_first)
        return db.session.execute(select(newest.c.id)).scalars().all()

    if found.are_many:
        return SearchResult(AtLeast(COUNT_LIMIT), None, ids)
    matches = scope.newest(*conditions, limit=COUNT_LIMIT + 1)
    return SearchResult(count_matches(select(matches.c.id)), None, ids)


@dataclass(frozen=True)
class SearchConditions:
    """The conditions of a search; if its entries `are_few`, by indexes; `are_many` is certain."""

    conditions: Sequence[Condition]
    are_few: bool = False
    are_many: bool = False


def search_conditions(scope: Scope) -> SearchConditions:
    """Return the conditions of a scope's search; the rarest term decides how entries are found."""
    meanings = _meanings(scope)
    if not meanings:
        return SearchConditions(())
    conditions = [meaning.condition() for meaning in meanings]
    counts = [meaning.count() for meaning in meanings]
    complete = [number for number, is_complete in counts if is_complete]
    if complete and min(complete) <= MAX_CANDIDATES:
        rarest = meanings[counts.index((min(complete), True))]
        conditions.insert(0, LedgerEntry.id.in_(rarest.candidates()))
        return SearchConditions(conditions, are_few=True)
    is_filtered = bool(replace(scope.filters, search=""))
    are_many = len(meanings) == 1 and not is_filtered and counts[0][0] > COUNT_LIMIT
    return SearchConditions(conditions, are_many=are_many)


def _read(scope: Scope, *where: Condition) -> SearchResult:
    statement = select(
        LedgerEntry.effective_at,
        LedgerEntry.id,
        LedgerEntry.kind,
        ledger.displayed_amount.label("amount"),
        LedgerEntry.unit_price,
        LedgerEntry.imported_total,
    ).where(*where, *scope.conditions(), ledger.is_listed)
    rows = sorted(db.session.execute(statement).all(), key=itemgetter(0, 1), reverse=True)
    sums = add_up(
        (row.kind, row.amount, total_price(row.amount, row.unit_price, row.imported_total))
        for row in rows
    )

    def ids(limit: int, offset: int) -> Sequence[int]:
        return [row.id for row in rows[offset : offset + limit]]

    return SearchResult(len(rows), sums, ids)


def _meanings(scope: Scope) -> list[Meaning]:
    teams = ledger.count_teams(scope.sites)
    meanings: list[Meaning] = []
    only_names: list[str] = []
    for term in search_terms(scope.filters.search):
        texts, values = _texts(term), _values(term, scope, teams)
        if texts or values:
            meanings.append(Meaning(scope, [term.text], texts, values))
        else:
            only_names.append(term.text)
    return [*meanings, Meaning(scope, only_names)] if only_names else meanings


def _texts(term: Term) -> list[Condition]:
    reasons = select(LedgerReason.reason).where(*_REASONS.contains([term.text]))
    texts: list[Condition] = []
    if db.session.execute(reasons.limit(1)).first():
        texts.append(and_(LedgerEntry.reason != "", LedgerEntry.reason.in_(reasons)))
    texts += [
        LedgerEntry.imported_site == site
        for site in (*Site, rules.OTHER_SITE, UNKNOWN_SITE)
        if _is_in_site(term, site)
    ]
    return texts


def _values(term: Term, scope: Scope, teams: Mapping[str, int]) -> list[Condition]:
    """Return the conditions of the columns that have an index with the site."""
    values: list[Condition] = []
    if kinds := [kind for kind in EntryKind if rules.is_called(kind, term.text)]:
        values.append(LedgerEntry.kind.in_(kinds))
    if spellings := [team for team in teams if term.text in key(team)]:
        values.append(ledger.displays_team(spellings))
    if own := [id_ for id_, store in scope.sites.items() if _is_in_site(term, store.site)]:
        values.append(and_(LedgerEntry.site_id.in_(own), LedgerEntry.imported_site.is_(None)))
    if term.days:
        values.append(and_(*ledger.in_days(*term.days)))
    if term.amounts:
        either_sign = {sign * amount for amount in term.amounts for sign in (1, -1)}
        values += [
            and_(LedgerEntry.imported_amount.is_(None), LedgerEntry.delta.in_(term.amounts)),
            and_(
                LedgerEntry.imported_amount.in_(either_sign), ledger.signed_amount.in_(term.amounts)
            ),
        ]
    return values


def _is_in_site(term: Term, site: str) -> bool:
    """Return whether a term occurs in a site's name; an unknown site is displayed as a dash."""
    return term.text == rules.DASH if site == UNKNOWN_SITE else term.text in site
