// web_speed.js WEB DATA: how long the program for a page takes for a key, and for
// a frame of motion, in node: milliseconds of processor time, for each kernel of
// the course on a screen of 142 x 44 cells. Without what the page itself draws.
"use strict";
const fs = require("fs");
const path = require("path");
const [web, data] = process.argv.slice(2);
const program = require(path.resolve(web, "gemmviz.js"));
const KEYS = 30, FRAMES = 30;

function copy(FS, from, to) {
	FS.mkdirTree(to);
	for (const entry of fs.readdirSync(from, { withFileTypes: true })) {
		const [here, there] = [path.join(from, entry.name),
			`${to}/${entry.name}`];
		if (entry.isDirectory())
			copy(FS, here, there);
		else
			FS.writeFile(there, fs.readFileSync(here));
	}
}

const used = () => process.cpuUsage().user / 1000;
const median = (all) => all.sort((a, b) => a - b)[all.length >> 1];

program({
	wasmBinary: fs.readFileSync(path.join(web, "gemmviz.wasm")),
	fetched: (order, file) => {
		it.FS.writeFile(`/shelf/${file}`,
			fs.readFileSync(path.join(web, "shelf", file)));
		it._web_arrived(order, 0);
	},
	shown: () => {},
	printErr: (line) => console.error(line),
}).then((loaded) => {
	it = loaded;
	copy(it.FS, data, "/gemmviz");
	it.ccall("web_start", null, ["string", "string", "number", "number",
		"number"], ["en", "dark", 142, 44, 1]);
	it._web_turn();
	const kernels = fs.readdirSync(path.join(data, "kernels"))
		.filter((name) => /\.cu$/.test(name) && !/across/.test(name));

	console.log("kernel                   opened   key  most frame  most  MB");
	for (const file of kernels) {
		const name = file.slice(0, -3), keys = [], frames = [];
		let from = used();

		it.ccall("web_go", null, ["string"], [`kernel=${name}`]);
		it._web_turn();
		const opened = used() - from;

		for (let i = 0; i < KEYS; i++) {
			from = used();
			it.ccall("web_key", null, ["string"], ["right"]);
			it._web_turn();
			keys.push(used() - from);
			// Its motion, frame by frame.
			for (let k = 0; k < 3; k++) {
				const until = Date.now() + 15;

				while (Date.now() < until)
					;
				from = used();
				it._web_turn();
				frames.push(used() - from);
			}
		}
		console.log(name.padEnd(24),
			...[opened, median(keys), Math.max(...keys), median(frames),
				Math.max(...frames),
				it.HEAP8.length / 1e6].map((n) =>
				n.toFixed(1).padStart(6)));
	}
}).catch((e) => {
	console.error(`web_speed.js: ${e.message || e}`);
	process.exitCode = 1;
});
let it;
