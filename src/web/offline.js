// A service worker: what was fetched once is there without a network. What comes
// from the network is newer, and whole where a kept file was damaged: it goes first.
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
