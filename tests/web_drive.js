/* Answers the lesson on the screen to its end, by keys or by clicks on what the
 * footer and the questions show, else on the button that a phone has for Enter,
 * and measures each: milliseconds from the event
 * to the end of the frame that follows. One expression, without comments to the
 * line's end: a test sends it to the browser in one line. */
(async (clicks) => {
	const rows = document.getElementById("text");
	const frame = () => new Promise((ok) => requestAnimationFrame(() => ok()));
	const sleep = (ms) => new Promise((ok) => setTimeout(ok, ms));
	const button = document.querySelector("#keys [data-key=Enter]");
	const took = [];
	const press = (key) => dispatchEvent(new KeyboardEvent("keydown",
		{ key, cancelable: true }));
	const click_at = (x, y) => rows.firstChild.dispatchEvent(new MouseEvent(
		"click", { clientX: x, clientY: y, bubbles: true }));
	const click = (text, where = rows) => {
		const range = document.createRange();
		const walk = document.createTreeWalker(where, NodeFilter.SHOW_TEXT);
		let found = null;
		for (let n; (n = walk.nextNode());) {
			const i = n.data.lastIndexOf(text);
			if (i < 0)
				continue;
			range.setStart(n, i);
			range.setEnd(n, i + 1);
			found = n;
		}
		if (!found)
			return false;
		const b = range.getBoundingClientRect();
		return click_at(b.x + b.width / 2, b.y + b.height / 2);
	};
	const measured = async (act) => {
		const from = performance.now();
		const done = act();
		await frame();
		took.push(performance.now() - from);
		return done;
	};
	const ended = () => !/lesson=/.test(location.hash);
	const at = Date.now();
	for (let i = 0; i < 120 && !ended() && Date.now() - at < 40000; i++) {
		if (clicks) {
			await measured(() => click("! ", rows.lastChild) ||
				click("enter ", rows.lastChild) ||
				click(`${"abcd"[(i + (i >> 2)) % 4]}  `) || click_at(1, 1));
			if (i % 4 === 3 && !rows.lastChild.textContent.includes("enter "))
				await measured(() => button.click());
		} else {
			await measured(() => press("!"));
			await measured(() => press("Enter"));
		}
		await sleep(20);
	}
	took.sort((a, b) => a - b);
	return [ended(), took.length, took[took.length >> 1].toFixed(1),
		took[took.length - 1].toFixed(1),
		((gemmviz_memory.buffer.byteLength +
			performance.memory.usedJSHeapSize) / 1e6).toFixed(0)].join(" ");
})
