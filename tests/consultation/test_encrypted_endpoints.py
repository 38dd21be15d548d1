"""Endpoints over TLS, with certificates of an authority of the user's own."""

from __future__ import annotations

import ssl
from contextlib import closing
from pathlib import Path

import pytest

from arena.consultation.backend import ModelUnreachable, ReachProblem
from arena.consultation.backends import Backends
from arena.consultation.model_check import check_models
from arena.consultation.model_spec import ModelSpec
from arena.errors import UserError
from tests.consultation import fake_endpoint as fake
from tests.consultation.asking import request
from tests.consultation.certificates import Authority
from tests.consultation.test_model_check import GOOD

OURS, OTHERS = Authority("An authority of ours"), Authority("Somebody else")


def presenting(folder: Path, host: str) -> ssl.SSLContext:
    """What an endpoint needs that shows a certificate of ours for this host."""
    certificate, key = OURS.sign(host)
    (folder / "endpoint.pem").write_text(certificate + key)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "endpoint.pem")
    return context


def test_certificates_are_checked_against_the_authority_that_the_user_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trusted = tmp_path / "authority.pem"
    monkeypatch.setenv("SSL_CERT_FILE", str(trusted))
    with fake.endpoint(fake.whole(GOOD), encrypted=presenting(tmp_path, "127.0.0.1")) as server:
        model = ModelSpec(url=server.url, gap=5, total=5, attempts=3)
        trusted.write_text(OURS.certificate())
        with closing(Backends()) as backend:
            assert backend.complete("fast", model, request()).text == GOOD
            assert check_models({"fast": model}, backend)[0].works
        asked = len(server.asked)
        trusted.write_text(OTHERS.certificate())
        with closing(Backends()) as backend:
            with pytest.raises(ModelUnreachable) as caught:
                backend.complete("fast", model, request())
            (report,) = check_models({"fast": model}, backend)
        assert (caught.value.problem, caught.value.lasting) == (ReachProblem.CERTIFICATE, True)
        assert "certificate verify failed" in str(caught.value)
        assert "127.0.0.1" not in str(caught.value)
        assert "certificate of its authority in SSL_CERT_FILE" in report.advice
        assert len(server.asked) == asked
        for content in (None, "no certificate"):
            trusted.unlink() if content is None else trusted.write_text(content)
            with closing(Backends()) as backend, pytest.raises(UserError, match="SSL_CERT_FILE: no certificates"):
                check_models({"fast": model}, backend)


def test_a_certificate_of_another_host_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "authority.pem").write_text(OURS.certificate())
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "authority.pem"))
    with (
        fake.endpoint(fake.whole(GOOD), encrypted=presenting(tmp_path, "models.example.org")) as server,
        closing(Backends()) as backend,
        pytest.raises(ModelUnreachable) as caught,
    ):
        backend.complete("fast", ModelSpec(url=server.url, gap=5, total=5), request())
    assert (caught.value.problem, server.asked) == (ReachProblem.CERTIFICATE, [])
