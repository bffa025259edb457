# What runs on the other side of ssh. It is sent over standard input and evaluated by sh, so that no command line there shows
# it, nor what the command gets in its environment; ssh.go says how. $1 is its length, $2 what to do.
#
#   probe                tell PATH, HOME and what is missing here
#   run                  become the command, beside a leash that ends it
#   watch                be that leash
#   input DIR            carry standard input into the fifo of a command
#   files                be an sftp server
#
# Every answer is a line after two NULs and a word that only this command knows, so that whatever else the output holds, what a
# login script prints too, it can be told apart.
shift
mode=$1 mark=$2
shift 2

say() { printf '\0\0%s:%s\n' "$mark" "$*"; }

# alive PID: it runs; one that has ended and waits for its parent does not.
alive() {
	{ read -r stat <"/proc/$1/stat"; } 2>/dev/null || return 1
	case ${stat##*) } in
	Z* | X*) return 1 ;;
	esac
}

# signal NAME: to the group of $main, or to it alone while it has no group yet.
signal() { kill "-$1" "-$main" 2>/dev/null || kill "-$1" "$main" 2>/dev/null; }

# ended: waits for $main, $grace twentieths of a second.
ended() {
	n=0
	while alive "$main"; do
		[ "$n" -lt "$grace" ] || return 1
		n=$((n + 1))
		sleep 0.05
	done
}

# strays: kills what carries the command's cookie in its environment, wherever it is, until a pass finds none.
strays() {
	for pass in 1 2 3 4 5 6 7 8 9 10; do
		found=
		for file in $(grep -lsaF -e "ASSAY_COMMAND=$cookie" /proc/[0-9]*/environ 2>/dev/null); do
			pid=${file#/proc/}
			kill -KILL "${pid%/environ}" 2>/dev/null && found=1
		done
		[ -n "$found" ] || break
	done
}

# executable FILE: it can be run; else $why, empty where there is no such file.
executable() {
	why=
	if [ ! -e "$1" ]; then
		return 1
	elif [ -d "$1" ]; then
		why='it is a directory'
	elif [ ! -x "$1" ]; then
		why='it is not executable'
	fi
	[ -z "$why" ]
}

# lookup NAME: sets $file, or $why.
lookup() {
	case $1 in
	/*) file=$1 && executable "$file" && return ;;
	*)
		obstacle=
		rest=$search:
		while [ -n "$rest" ]; do
			file=${rest%%:*}/$1
			rest=${rest#*:}
			case $file in /*) ;; *) continue ;; esac
			executable "$file" && return
			[ -z "$why" ] || obstacle=${obstacle:-$file: $why}
		done
		why=$obstacle
		;;
	esac
	return 1
}

# loadable FILE: the kernel can start it; a shell would take a script without #! for one of its own.
loadable() {
	[ -r "$1" ] || return 0
	begin=$(head -c 2 "$1" 2>/dev/null | tr -d '\0')
	[ "$begin" = '#!' ] || [ "$begin" = "$(printf '\177E')" ]
}

case $mode in
probe)
	say go
	printf 'PATH=%s\nHOME=%s\n' "$PATH" "$HOME"
	for tool in env setsid timeout head tr grep cat sleep mktemp mkfifo rm sync; do
		command -v "$tool" >/dev/null || printf 'missing=%s\n' "$tool"
	done
	;;

run)
	# search and environment were set before this script was evaluated.
	cookie=$1 grace=$2 silence=$3 dir=$4 out=$5 err=$6 in=$7
	shift 7
	if ! lookup "$1"; then
		if [ -n "$why" ]; then say "refused $why"; else say absent; fi
		exit 0
	fi
	if [ ! -e "$dir" ]; then
		say nodir
		exit 0
	elif [ ! -d "$dir" ]; then
		say notdir
		exit 0
	elif ! cd "$dir" 2>/dev/null; then
		say closed
		exit 0
	elif ! loadable "$file"; then
		say "noexec $file"
		exit 0
	fi
	fifo=
	if [ "$in" = 1 ]; then
		fifo=$(umask 077 && mktemp -d /tmp/assay-XXXXXXXXXX) && mkfifo "$fifo/in" || {
			say 'noinput cannot make a fifo in /tmp'
			exit 0
		}
	fi
	env=$(command -v env)
	setsid=$(command -v setsid)
	# The leash is nobody's child and in a session of its own: no signal to the command reaches it, and no command that waits for
	# its children finds one that it did not start. A job in the background would lose its standard input.
	exec 3<&0
	(setsid env -i PATH="$PATH" sh -c "$leash" assay 0 watch "$mark" "$cookie" "$grace" "$silence" "$$" "$fifo" <&3 3<&- &)
	say "go $fifo"
	say go >&2
	exec 3<&-
	shift
	set -- "$file" "$@"
	# Variables that some shells export by themselves; env would take a name with = in it for a variable.
	case $file in
	*=*) ;;
	*) set -- "$env" -u _ -u PWD -u OLDPWD -u SHLVL "$@" ;;
	esac
	# sshd makes a session for the command; sudo puts another process at its head.
	{ read -r stat </proc/$$/stat; } 2>/dev/null
	stat=${stat##*) }
	stat=${stat#* }
	stat=${stat#* }
	[ "${stat%% *}" = "$$" ] || set -- "$setsid" "$@"
	if [ -n "$fifo" ]; then exec <"$fifo/in"; else exec </dev/null; fi
	case $out in drop) exec >/dev/null ;; esac
	case $err in drop) exec 2>/dev/null ;; merge) exec 2>&1 ;; esac
	environment
	exec "$@"
	;;

watch)
	cookie=$1 grace=$2 silence=$3 main=$4 fifo=$5
	# A byte comes now and then while the link is there. The end of the input is a cancel, the end of assay, or, since sshd
	# closes it then, the end of the command; silence is a link that was cut.
	while [ -n "$(timeout "$silence" head -c 1)" ]; do :; done
	how=end
	if alive "$main"; then
		signal TERM
		if ! ended; then
			signal KILL
			ended || how=stuck
		fi
		signal KILL
		strays
	else
		signal KILL
	fi
	if [ -n "$fifo" ] && [ -p "$fifo/in" ]; then
		exec 4<>"$fifo/in" # lets go of one that waits to open it
		rm -rf "$fifo"
	fi
	# Behind all that the command wrote itself: it went through the same pipes.
	say "$how"
	say "$how" >&2
	;;

input)
	exec 4>"$1/in"
	rm -rf "$1"
	say go
	exec cat >&4
	;;

files)
	for file in /usr/lib/openssh/sftp-server /usr/libexec/openssh/sftp-server /usr/lib/ssh/sftp-server \
		/usr/libexec/sftp-server /usr/lib/sftp-server /usr/libexec/ssh/sftp-server; do
		if [ -x "$file" ]; then
			say go
			exec "$file"
		fi
	done
	say absent
	;;
esac
