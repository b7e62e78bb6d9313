/*
 * term: curses knows the terminal and sets it up; pen.h draws on it. The bytes
 * that the terminal sends are read and decoded here (keys.h): that way nothing
 * blocks, the end of input is noticed, and an unknown sequence has no effect.
 */
#include "term/term.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/timerfd.h>
#include <termios.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/encode.h"
#include "base/lang.h"
#include "base/text.h"
#include "term/guard.h"
#include "viz/keys.h"
#include "viz/pen.h"

/* Included last: <term.h> defines many words as macros, and its struct term is
 * not ours. */
#define NCURSES_WIDECHAR 1
#include <curses.h>
#define term curses_term
#include <term.h>
#undef term

#define FALLBACK_TYPE "xterm-256color"
#define ESCAPE_MS 25		/* an Escape is a key when nothing follows */
#define WIDTH_MAX 2000		/* curses counts in shorts; and memory */
#define HEIGHT_MAX 1000

#define MOUSE_ON "\033[?1000h\033[?1002h\033[?1006h"
#define MOUSE_OFF "\033[?1006l\033[?1002l\033[?1000l"

struct term {
	SCREEN *screen;
	const struct theme *theme;
	bool ascii, mouse;
	char *notice;
	struct str restoring;	/* what the guard would write */
	int w, h;

	struct pen pen;		/* draws on it */

	struct keys keys;
	bool ended;		/* the terminal is gone, and K_EOF was said */
	int poll;		/* of the terminal, the pipe and the timer */
	int timer;		/* for a lone Escape */
};

/*
 * Signals that need more than a handler may do are written into a pipe, a byte
 * each: the loop's poll sees them, and none gets lost between two polls.
 */
static int signal_pipe[2] = { -1, -1 };

static void on_signal(int sig)
{
	int saved = errno;
	char byte = (char)sig;

	/* If the pipe is full, the loop wakes up anyway. */
	if (write(signal_pipe[1], &byte, 1) < 0)
		errno = saved;
	errno = saved;
}

static void catch_signal(int sig)
{
	struct sigaction action = { .sa_handler = on_signal,
				    .sa_flags = SA_RESTART }, before;

	sigemptyset(&action.sa_mask);
	if (sigaction(sig, NULL, &before) == 0 &&
	    (before.sa_handler != SIG_IGN || sig == SIGWINCH))
		sigaction(sig, &action, NULL);
}

/* ---- start ---- */

/* Sets up terminfo for a type, from the system's, else from that which comes with
 * the program (as in a wheel). Sets *found as setupterm() does. */
static void set_up_type(const char *type, int *found)
{
	const char *dirs = getenv("TERMINFO_DIRS");
	char *more;

	if (setupterm(type, STDOUT_FILENO, found) == OK || *found == 1)
		return;
	more = xasprintf("%s:%s", dirs ? dirs : "", paths()->terminfo);
	setenv("TERMINFO_DIRS", more, true);
	free(more);
	setupterm(type, STDOUT_FILENO, found);
}

/* Finds the terminal's type and sets up terminfo for it. Sets *notice if
 * another type is assumed. Returns -1 with e if it cannot be drawn on. */
static int choose_type(const char **type, char **notice, struct error *e)
{
	int found;

	*type = getenv("TERM");
	*notice = NULL;
	if (!*type || !**type) {
		*notice = xasprintf(_("TERM is not set: assuming %s"),
				    FALLBACK_TYPE);
		*type = FALLBACK_TYPE;
	}
	set_up_type(*type, &found);
	if (found == 0 && !*notice && strcmp(*type, "dumb")) {
		*notice = xasprintf(_("terminal type '%s' is unknown: assuming "
				      "%s"), text_show(*type),
				    FALLBACK_TYPE);
		*type = FALLBACK_TYPE;
		set_up_type(*type, &found);
	}
	if (found == 1 && tigetstr("cup"))
		return 0;
	free(*notice);
	*notice = NULL;
	return error_set(e, EXIT_TERMINAL,
			 _("cannot draw on a terminal of type '%s'"),
			 text_show(*type));
}

int term_probe(struct term_facts *f, struct error *e)
{
	struct winsize size;
	char *notice;

	*f = (struct term_facts){ 0 };
	if (choose_type(&f->type, &notice, e) < 0) {
		if (cur_term)
			del_curterm(cur_term);
		return -1;
	}
	free(notice);
	f->colours = MAX(0, tigetnum("colors"));
	del_curterm(cur_term);
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) {
		f->w = size.ws_col;
		f->h = size.ws_row;
	}
	return 0;
}

static const char *terminfo_string(const char *name)
{
	const char *value = tigetstr(name);

	return value == (char *)-1 ? NULL : value;
}

static void add_capability(struct str *out, const char *name)
{
	const char *value = terminfo_string(name);

	/* Delays, "$<5>", were for the terminals of the past. */
	for (; value && *value; value++) {
		if (value[0] == '$' && value[1] == '<' && strchr(value, '>'))
			value = strchr(value, '>');
		else
			str_addc(out, *value);
	}
}

/* Writes the bytes that restore the screen, for the guard. */
static void restoring_bytes(bool mouse, struct str *out)
{
	const char *down = tigetstr("cup");

	if (mouse)
		str_add(out, MOUSE_OFF);
	add_capability(out, "rmacs");
	add_capability(out, "sgr0");
	add_capability(out, "op");
	add_capability(out, "rmkx");
	if (tigetstr("rmcup")) {
		add_capability(out, "rmcup");
	} else {
		/* There is no other screen to go back to: leave on the last
		 * line. */
		const char *at = tiparm(down, HEIGHT_MAX - 2, 0);

		str_add(out, at ? at : "");
		add_capability(out, "el");
		str_add(out, "\r\n");
	}
	add_capability(out, "cnorm");
}

static void learn_keys(struct keys *k)
{
	static const struct { const char *name; uint32_t key; } names[] = {
		{ "kcuu1", K_UP }, { "kcud1", K_DOWN }, { "kcub1", K_LEFT },
		{ "kcuf1", K_RIGHT }, { "khome", K_HOME }, { "kend", K_END },
		{ "kpp", K_PAGE_UP }, { "knp", K_PAGE_DOWN },
		{ "kcbt", K_BACK_TAB }, { "kent", K_ENTER },
		{ "kbs", K_BACKSPACE }, { "kdch1", K_DELETE },
		{ "kf1", K_F1 },
	};

	for (size_t i = 0; i < LENGTH(names); i++) {
		const char *bytes = tigetstr(names[i].name);

		if (bytes != (char *)-1)
			keys_learn(k, bytes, names[i].key);
	}
}

static void watch_descriptor(struct term *t, int fd)
{
	struct epoll_event ev = { .events = EPOLLIN, .data = { .fd = fd } };

	if (epoll_ctl(t->poll, EPOLL_CTL_ADD, fd, &ev) != 0)
		fatal("epoll: %s", strerror(errno));
}

static void open_descriptors(struct term *t)
{
	if (signal_pipe[0] < 0 && pipe2(signal_pipe, O_CLOEXEC | O_NONBLOCK))
		fatal("pipe: %s", strerror(errno));
	t->poll = epoll_create1(EPOLL_CLOEXEC);
	t->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (t->poll < 0 || t->timer < 0)
		fatal("epoll: %s", strerror(errno));
	watch_descriptor(t, STDIN_FILENO);
	watch_descriptor(t, signal_pipe[0]);
	watch_descriptor(t, t->timer);
}

/* Returns the light theme if the terminal reports a light background (rxvt,
 * konsole). */
static const struct theme *default_theme(void)
{
	const char *colours = getenv("COLORFGBG");
	const char *back = colours ? strrchr(colours, ';') : NULL;

	if (back && (!strcmp(back, ";7") || !strcmp(back, ";15")))
		return theme_find("light");
	return theme_find("dark");
}

static void choose_colours(struct term *t, const struct term_options *o)
{
	const char *no_color = getenv("NO_COLOR");

	if (!o->mono && !(no_color && *no_color) && terminfo_string("setaf") &&
	    terminfo_string("setab") && start_color() == OK && COLORS >= 8) {
		t->pen.colours = COLORS;
		use_default_colors();
	}
	t->theme = o->theme ? o->theme : default_theme();
}

static const char *fill_parameters(const char *sequence, int a, int b)
{
	const char *filled = tiparm(sequence, a, b);

	return filled ? filled : "";
}

/* Copies a terminfo sequence for the pen to the heap; NULL: the terminal has
 * none. */
static char *copy_sequence(const char *name)
{
	struct str out = { 0 };

	add_capability(&out, name);
	return out.len ? str_take(&out) : NULL;
}

static struct pen_terminal terminal_of_pen(void)
{
	int bad = MAX(tigetnum("ncv"), 0);	/* bits as in curses */

	return (struct pen_terminal){
		.clear = copy_sequence("clear"),
		.plain = copy_sequence("sgr0"),
		.bold = copy_sequence("bold"),
		.underline = copy_sequence("smul"),
		.reverse = copy_sequence("rev"),
		.own_colours = copy_sequence("op"),
		.erase_end = copy_sequence("el"),
		.move = copy_sequence("cup"),
		.foreground = copy_sequence("setaf"),
		.background = copy_sequence("setab"),
		.erase = copy_sequence("ech"),
		.fill_in = fill_parameters,
		.erases_in_colour = tigetflag("bce") > 0,
		.scrolls = tigetflag("am") > 0 && tigetflag("xenl") <= 0,
		.moves_plain = tigetflag("msgr") <= 0,
		.no_colour = (uint8_t)((bad & 2 ? ATTR_UNDERLINE : 0) |
				       (bad & 32 ? ATTR_BOLD : 0)),
	};
}

static void raw_modes(void)
{
	struct termios modes;

	cbreak();
	noecho();
	nonl();
	/*
	 * Ctrl-S would freeze the screen, and look like a hang. Ctrl-Z would
	 * discard the bytes on their way to the screen.
	 */
	if (tcgetattr(STDOUT_FILENO, &modes) == 0) {
		modes.c_iflag &= ~(tcflag_t)IXON;
		modes.c_lflag |= NOFLSH;
		tcsetattr(STDOUT_FILENO, TCSANOW, &modes);
	}
	def_prog_mode();
	/* Cursor keys send the sequences that terminfo has. */
	keypad(stdscr, TRUE);
	curs_set(0);
}

/* Reads the terminal's size or, if it does not know, that of curses. */
static void read_terminal_size(struct term *t)
{
	struct winsize size;

	t->w = COLS;
	t->h = LINES;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 &&
	    size.ws_row > 0) {
		t->w = size.ws_col;
		t->h = size.ws_row;
	}
	t->w = MIN(t->w, WIDTH_MAX);
	t->h = MIN(t->h, HEIGHT_MAX);
	resize_term(t->h, t->w);
	/* What a terminal shows after a resize is unknown. */
	term_redraw(t);
}

static void set_mouse(const struct term *t, bool on)
{
	if (t->mouse)
		write_all(STDOUT_FILENO, on ? MOUSE_ON : MOUSE_OFF,
			  strlen(on ? MOUSE_ON : MOUSE_OFF));
}

/* Reads from terminfo what is needed before curses takes it over: mouse, keys,
 * and how to restore the screen; catches the signals. */
static void prepare_terminal(struct term *t, const struct term_options *o)
{
	const char *mouse = tigetstr("kmous");

	t->mouse = !o->no_mouse && mouse && mouse != (char *)-1;
	restoring_bytes(t->mouse, &t->restoring);
	learn_keys(&t->keys);
	catch_signal(SIGWINCH);
	catch_signal(SIGTSTP);
	catch_signal(SIGCONT);
	guard_enter(STDOUT_FILENO, t->restoring.data, t->restoring.len);
}

struct term *term_open(const struct term_options *o, struct error *e)
{
	const char *type;
	char *notice;
	struct term *t;

	if (!isatty(STDOUT_FILENO) || !isatty(STDIN_FILENO)) {
		error_set(e, EXIT_TERMINAL, "%s",
			  isatty(STDOUT_FILENO)
				  ? _("standard input is not a terminal")
				  : _("standard output is not a terminal"));
		return NULL;
	}
	if (choose_type(&type, &notice, e) != 0)
		return NULL;
	t = xcalloc(1, sizeof(*t));
	t->notice = notice;
	t->ascii = o->ascii || !lang_utf8();
	if (!o->ascii && t->ascii && !notice)
		t->notice = xstrdup(_("the locale is not UTF-8: using ASCII"));
	open_descriptors(t);
	prepare_terminal(t, o);
	del_curterm(cur_term);
	t->screen = newterm(type, stdout, stdin);
	if (!t->screen)
		fatal("cannot start on a terminal of type %s",
		      text_show(type));
	raw_modes();
	t->pen.terminal = terminal_of_pen();
	choose_colours(t, o);
	read_terminal_size(t);
	wnoutrefresh(stdscr);
	doupdate();
	set_mouse(t, true);
	return t;
}

static void leave_screen(struct term *t)
{
	set_mouse(t, false);
	endwin();
	guard_leave();
}

void term_close(struct term *t)
{
	leave_screen(t);
	delscreen(t->screen);
	pen_done(&t->pen);
	close(t->poll);
	close(t->timer);
	str_done(&t->restoring);
	free(t->notice);
	free(t);
}

/* ---- facts about the terminal ---- */

int term_fd(const struct term *t)
{
	return t->poll;
}

void term_size(const struct term *t, int *w, int *h)
{
	*w = t->w;
	*h = t->h;
}

bool term_colour(const struct term *t)
{
	return t->pen.colours >= 16 && !t->theme->mono;
}

bool term_ascii(const struct term *t)
{
	return t->ascii;
}

const char *term_notice(const struct term *t)
{
	return t->notice;
}

void term_theme(struct term *t, const struct theme *theme)
{
	t->theme = theme;
	term_redraw(t);
}

/* ---- input ---- */

/* Reads the bytes that have arrived; false: there will be no more. */
static bool read_input(struct term *t)
{
	struct pollfd p = { .fd = STDIN_FILENO, .events = POLLIN };
	size_t room;
	char *to = keys_room(&t->keys, &room);
	ssize_t n;

	if (poll(&p, 1, 0) <= 0)
		return true;
	n = read(STDIN_FILENO, to, room);
	if (n > 0)
		keys_got(&t->keys, (size_t)n);
	else if (n == 0 || (errno != EINTR && errno != EAGAIN))
		return false;
	return true;
}

/* Sets the timer that decides a lone Escape, in ms; 0 stops it. */
static void set_timer(const struct term *t, long ms)
{
	struct itimerspec at = { .it_value = { 0, ms * 1000000 } };

	timerfd_settime(t->timer, 0, &at, NULL);
}

static bool key_event(struct term *t, struct event *ev)
{
	uint64_t expired;
	bool late = read(t->timer, &expired, sizeof(expired)) > 0;
	size_t before = t->keys.len;
	bool more = read_input(t);

	late = late && t->keys.len == before;
	if (keys_next(&t->keys, late, ev))
		return true;
	if (!more) {
		/* Never be woken by it again. */
		t->ended = true;
		epoll_ctl(t->poll, EPOLL_CTL_DEL, STDIN_FILENO, NULL);
		*ev = (struct event){ .key = K_EOF };
		return true;
	}
	if (keys_undecided(&t->keys) && t->keys.len != before)
		set_timer(t, ESCAPE_MS);
	return false;
}

/* ---- suspending and resuming ---- */

/* Takes the terminal back; stops until the shell gives it. */
static void enter_screen(struct term *t)
{
	pid_t foreground = tcgetpgrp(STDOUT_FILENO);

	if (foreground > 0 && foreground != getpgrp())
		raise(SIGTTOU);
	guard_enter(STDOUT_FILENO, t->restoring.data, t->restoring.len);
	read_terminal_size(t);
	reset_prog_mode();
	wnoutrefresh(stdscr);
	doupdate();
	set_mouse(t, true);
}

void term_suspend(struct term *t)
{
	struct sigaction stop = { .sa_handler = SIG_DFL }, before;
	char byte;

	leave_screen(t);
	sigemptyset(&stop.sa_mask);
	sigaction(SIGTSTP, &stop, &before);
	raise(SIGTSTP);
	sigaction(SIGTSTP, &before, NULL);
	/* The signal that woke us is not a second reason to redraw. */
	while (read(signal_pipe[0], &byte, 1) > 0)
		;
	enter_screen(t);
}

/* Replaces this process by the program. */
static _Noreturn void become_program(char *const *argv)
{
	signal(SIGINT, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);
	signal(SIGTSTP, SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	execvp(argv[0], argv);
	_exit(127);
}

int term_run(struct term *t, char *const *argv, struct error *e)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN }, before[3];
	static const int keys[] = { SIGINT, SIGQUIT, SIGTSTP };
	int status = 0;
	pid_t pid;

	leave_screen(t);
	sigemptyset(&ignore.sa_mask);
	for (size_t i = 0; i < LENGTH(keys); i++)
		sigaction(keys[i], &ignore, &before[i]);
	pid = fork();
	if (pid == 0)
		become_program(argv);
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	for (size_t i = 0; i < LENGTH(keys); i++)
		sigaction(keys[i], &before[i], NULL);
	enter_screen(t);
	term_redraw(t);
	if (pid > 0 && !(WIFEXITED(status) && WEXITSTATUS(status) == 127))
		return 0;
	return error_set(e, EXIT_INPUT, "cannot start %s", argv[0]);
}

/* Handles the signals that have arrived. Returns whether everything must be
 * drawn again. */
static bool answer_signals(struct term *t)
{
	bool resized = false, stop = false, woken = false;
	char byte;

	while (read(signal_pipe[0], &byte, 1) > 0) {
		resized |= byte == SIGWINCH;
		stop |= byte == SIGTSTP;
		woken |= byte == SIGCONT;
	}
	if (stop) {
		term_suspend(t);
	} else if (woken) {
		/* Stopped without notice: the shell has had the screen. */
		leave_screen(t);
		enter_screen(t);
	} else if (resized) {
		read_terminal_size(t);
	}
	return stop || woken || resized;
}

bool term_event(struct term *t, struct event *ev)
{
	if (answer_signals(t)) {
		*ev = (struct event){ .key = K_RESIZE };
		return true;
	}
	return !t->ended && key_event(t, ev);
}

/* ---- output ---- */

void term_draw(struct term *t, const struct canvas *c)
{
	pen_draw(&t->pen, c, t->theme);
	/* Bytes that did not arrive are sent again with the next picture. */
	if (t->pen.out.len &&
	    write_all(STDOUT_FILENO, t->pen.out.data, t->pen.out.len) < 0)
		term_redraw(t);
	str_clear(&t->pen.out);
}

bool term_copy(struct term *t, const char *text)
{
	const char *takes = tigetstr("Ms");
	struct str s = { 0 };

	if (!takes || takes == (char *)-1)
		return false;
	str_add(&s, "\033]52;c;");
	str_add_base64(&s, text, strlen(text));
	str_addc(&s, '\a');
	if (write_all(STDOUT_FILENO, s.data, s.len) < 0)
		term_redraw(t);
	str_done(&s);
	return true;
}

void term_redraw(struct term *t)
{
	t->pen.drawn = false;
}
