// A service worker: what was fetched once is there without a network. What has
// come from the network is newer, so it goes first; a recording is named by its
// content and never changes.
"use strict";
const KEPT = "gemmviz";
const FIRST = ["./", "page.css", "page.js", "gemmviz.js", "gemmviz.wasm.gz",
	"en.pack.gz", "zh.pack.gz", "rest.pack.gz"];

addEventListener("install", (e) => {
	skipWaiting();
	e.waitUntil(caches.open(KEPT).then((kept) => kept.addAll(FIRST)));
});
addEventListener("activate", (e) => e.waitUntil(clients.claim()));

async function answer(request) {
	const kept = await caches.open(KEPT);
	const found = await kept.match(request, { ignoreSearch: true });

	if (found && /\/shelf\//.test(request.url))
		return found;
	try {
		const now = await fetch(request);

		if (now.ok)
			kept.put(request, now.clone());
		return now;
	} catch (e) {
		if (found)
			return found;
		throw e;
	}
}

addEventListener("fetch", (e) => {
	if (e.request.method === "GET" &&
			e.request.url.startsWith(registration.scope))
		e.respondWith(answer(e.request));
});
