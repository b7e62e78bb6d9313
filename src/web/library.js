// What page.h says that the page has: each calls the function that the page gave
// to the program.
mergeInto(LibraryManager.library, {
	page_fetch: function(order, file) {
		Module['fetched'](order, UTF8ToString(file));
	},
	page_show: function(cells, changed, count, w, h, ground) {
		Module['shown'](cells, changed, count, w, h, ground);
	},
	page_choose_file: function() {
		Module['choose']();
	},
	page_calculate: function() {
		Module['calculate']();
	},
	page_copy: function(text) {
		Module['copied'](UTF8ToString(text));
	},
});
