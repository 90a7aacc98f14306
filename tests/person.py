"""A person at a browser without scripts: opens pages, reads them, fills in their forms."""

from functools import cached_property
from typing import Any

from bs4 import BeautifulSoup, Tag
from flask import Flask
from werkzeug.test import TestResponse

from app.accounts.queries import signed_in_user
from app.accounts.services import sessions
from app.db import transaction
from app.divisions import Division

PASSWORD = "correct horse battery"


class Page:
    """A reply and its HTML."""

    def __init__(self, response: TestResponse) -> None:
        self.response = response
        self.status = response.status_code
        self.headers = response.headers
        self.path = response.request.full_path.rstrip("?")

    @cached_property
    def html(self) -> BeautifulSoup:
        text = self.response.get_data(as_text=True)
        # The faster lxml makes a page of a fragment.
        is_page = text.lstrip()[:9].lower() == "<!doctype"
        return BeautifulSoup(text, "lxml" if is_page else "html.parser")

    @property
    def text(self) -> str:
        return " ".join(self.html.get_text(" ").split())

    @property
    def title(self) -> str:
        return self.html.title.get_text() if self.html.title else ""

    @property
    def errors(self) -> list[str]:
        return [
            " ".join(e.get_text(" ").split()) for e in self.html.select(".error, .notice.bad li")
        ]

    @property
    def alerts(self) -> list[str]:
        return [" ".join(e.get_text(" ").split()) for e in self.html.select("[role=alert]")]

    def all(self, selector: str) -> list[str]:
        return [" ".join(e.get_text(" ").split()) for e in self.html.select(selector)]

    @property
    def question(self) -> list[str]:
        """Return the question whether a name is new, and its buttons."""
        return self.all("[aria-labelledby$=-question] :is(p, .btn)")

    def rows(self) -> list[list[str]]:
        """Return the cells of each row of the table, without the actions."""
        return [row[:4] for row in rows(self, "tr[id^=i]")]

    def link(self, name: str) -> str:
        """Return the address of the link with this text or label."""
        for a in self.html.select("a"):
            if name in (a.get("aria-label"), " ".join(a.get_text(" ").split())):
                return str(a["href"])
        raise AssertionError(f"no link {name!r} on {self.path}")

    def form(self, selector: str = "main form[method=post]") -> Tag:
        form = self.html.select_one(selector)
        assert form is not None, f"no form {selector} on {self.path}"
        return form

    def fields(self, selector: str = "main form[method=post]") -> dict[str, str]:
        """Return the values that a form, or that of a button, would send unchanged."""
        sent: dict[str, str] = {}
        form = self.form(selector).find_parent("form") or self.form(selector)
        for field in form.select("input[name], select[name], textarea[name]"):
            if field.get("type") in ("radio", "checkbox") and not field.has_attr("checked"):
                continue
            sent[str(field["name"])] = str(field.get("value") or "")
        return sent


def rows(page: Page, selector: str = "#rows tr") -> list[list[str]]:
    """Return the text of each cell of the rows that a selector finds."""
    return [
        [" ".join(cell.get_text(" ").split()) for cell in row.select("th, td")]
        for row in page.html.select(selector)
    ]


def table(page: Page, caption: str) -> list[list[str]]:
    """Return the text of each cell of the table with a caption, without its head."""
    return rows(page, f'table:has(> caption:-soup-contains-own("{caption}")) tbody tr')


class Person:
    """A user with a browser of their own; `fragment` sends a request as htmx does."""

    def __init__(self, app: Flask) -> None:
        self.client = app.test_client()

    def open(self, path: str, **options: Any) -> Page:
        return Page(self.client.get(path, follow_redirects=True, **options))

    def post(self, path: str, data: dict[str, str], *, follow: bool = True, **options: Any) -> Page:
        return Page(self.client.post(path, data=data, follow_redirects=follow, **options))

    def submit(
        self,
        page: Page,
        form: str = "main form[method=post]",
        *,
        follow: bool = True,
        headers: dict[str, str] | None = None,
        **typed: str,
    ) -> Page:
        """Fill in a page's form and send it, by its button if `form` selects one.

        Keyword names are the form's field names.
        """
        found = page.form(form)
        action = str(found.get("formaction") or found.get("action") or page.path)
        data = page.fields(form) | typed
        return self.post(action, data, follow=follow, headers=headers)

    def sign_in(
        self,
        username: str,
        password: str = PASSWORD,
        path: str = "/login",
        *,
        follow: bool = True,
        division: Division | None = None,
    ) -> Page | None:
        """Sign in by the form and open the page that follows; without `follow`, have a session.

        That takes no request, also where a division is chosen: most tests aren't about the forms.
        """
        if follow:
            return self.submit(self.open(path), username=username, password=password)
        with self.client.application.test_request_context():
            attempt = sessions.authenticate(username, password, None)
            with transaction():
                login = sessions.open_session(attempt)
                assert login is not None, username
                if division:
                    sessions.renew_session(login.id, division)
            user_id = signed_in_user(login.id).get_id()
        with self.client.session_transaction() as session:
            session |= {"_user_id": user_id, "_fresh": True, "_permanent": True}
        return None

    def fragment(self, path: str, target: str, **options: Any) -> Page:
        headers = {"HX-Request": "true", "HX-Target": target} | options.pop("headers", {})
        return Page(self.client.get(path, headers=headers, **options))


class Caller:
    """A script in the browser of a signed-in user, with our CSRF token."""

    def __init__(self, person: Person) -> None:
        self.client = person.client
        self.token = person.open("/choose").fields("form[method=post]")["csrf_token"]

    def __call__(self, method: str, path: str, body: Any = None, **headers: str) -> TestResponse:
        sent = {"X-CSRFToken": self.token, "Accept": "application/json"}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        content = {"data": body} if isinstance(body, bytes) else {"json": body}
        return self.client.open(path, method=method, headers=sent, **content)
