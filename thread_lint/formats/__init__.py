"""Findings as others read them: SARIF for code hosts and editors, annotations of GitHub's actions."""
