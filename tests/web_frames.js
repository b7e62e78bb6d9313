// web_frames.js WEB DATA RECORDED SOURCE [WORD]: runs frames_test as it was
// compiled for a page, in node: WEB has it, and the shelf; DATA the files of the
// program, RECORDED the recordings of kernels, SOURCE the golden frames.
"use strict";
const fs = require("fs");
const path = require("path");
const [web, data, recorded, source, ...words] = process.argv.slice(2);
const program = require(path.resolve(web, "frames_test.js"));

// Copies a folder of this machine into the program's file system.
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

program({
	wasmBinary: fs.readFileSync(path.join(web, "frames_test.wasm")),
	noInitialRun: true,
	print: (line) => fs.writeSync(1, line + "\n"),
	printErr: (line) => fs.writeSync(2, line + "\n"),
}).then((it) => {
	const { FS } = it;
	it.fetched = (order, file) => {
		FS.writeFile(`/shelf/${file}`,
			fs.readFileSync(path.join(web, "shelf", file)));
		it._web_arrived(order, 0);
	};
	it.shown = () => {};
	copy(FS, data, "/gemmviz");
	copy(FS, recorded, "/recorded");
	FS.mkdirTree("/shelf");
	copy(FS, path.join(source, "tests/golden"), "/tests/golden");
	for (const name of fs.readdirSync(path.join(source, "tests")))
		if (/^frames\.list$|\.json$/.test(name))
			FS.writeFile(`/tests/${name}`,
				fs.readFileSync(path.join(source, "tests", name)));
	process.exitCode = it.callMain(words);
}).catch((e) => {
	console.error(`web_frames.js: ${e.message || e}`);
	process.exitCode = 1;
});
