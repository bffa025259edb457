# What runs on the other side of ssh. It is sent over standard input and evaluated by sh, so that no command line there shows
# it, nor what the command gets in its environment; leash.go says how. $1 is its length, $2 what to do, $3 a word for marks.
#
#   probe                tell PATH, HOME and what is missing here, then be asked for the time
#   clock                be asked for the time
#   run                  have a command kept, and follow it
#   keep                 be the keeper of a command: the link may come and go
#   follow HOME OUT ERR  carry the output of a kept command from these bytes on
#   input HOME           carry standard input into a kept command
#   end HOME             end a command whose link was lost, and wait until nothing of it is left
#   files                be an sftp server
#
# A kept command has a folder, its HOME, that only its owner can enter: out and err hold its output, in is the fifo that it reads, and
# ctl is a fifo of single bytes for its keeper:
#
#   .  somebody is there      g  begin, where it was to be held      i  its standard input is at its end
#   x  end it                 q  all was fetched: leave nothing behind
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

# now: sets $now, seconds since the machine started, which no clock that is set changes.
now() { read -r now rest </proc/uptime; }

# clock: for every line that comes, the seconds since the machine started, and its date.
clock() {
	while read -r asked; do
		now
		printf '%s %s\n' "$now" "$(date +%s.%N)"
	done
}

# follow OUT ERR: carries the output from these bytes on, and what comes on fd 3 to the keeper, until that ends. A command is at its
# end when its keeper has put a mark behind its output, so nobody has to look whether it is. The interval is for file systems on which
# tail cannot wait.
follow() {
	tail -s 0.1 -c +"$(($1 + 1))" -f "$home/out" 3<&- &
	tail1=$!
	tail -s 0.1 -c +"$(($2 + 1))" -f "$home/err" >&2 3<&- &
	tail2=$!
	cat <&3 1<>"$home/ctl"
	kill "$tail1" "$tail2" 2>/dev/null
}

# finish TEXT: puts the mark behind the output.
finish() {
	say "$1" >>"$home/out"
	say "$1" >>"$home/err"
}

# end: the command's group and all that carries its cookie.
end() {
	[ "$hold" = 0 ] || return
	: >"$home/told"
	until read -r main <"$home/pid"; do sleep 0.01; done 2>/dev/null
	alive "$main" || return
	signal TERM
	ended && return
	signal KILL
	ended && return
	strays
	finish stuck
}

# watch: the leash. Where nobody has been there for $reconnect seconds, it ends the command and lets go of its output.
watch() {
	exec 4<&-
	while :; do
		case $(timeout "$reconnect" head -c 1 <&3) in
		. | g) ;;
		i) exec 5>&- ;;
		x) end ;;
		q) return ;;
		*)
			end
			return
			;;
		esac
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
	for tool in env setsid timeout head tail tr grep cat sleep mktemp mkfifo rm sync date; do
		command -v "$tool" >/dev/null || printf 'missing=%s\n' "$tool"
	done
	setsid -f true 2>/dev/null || printf 'missing=setsid -f\n'
	printf 'end=\n'
	clock
	;;

clock)
	say go
	clock
	;;

run)
	# search was set before this script was evaluated.
	size=$1 cookie=$2 grace=$3 reconnect=$4 dir=$5 out=$6 err=$7 in=$8
	shift 8
	hold=$1
	shift
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
	home=$(mktemp -d /tmp/assay-XXXXXXXXXX) && mkfifo "$home/ctl" "$home/ready" "$home/in" && : >"$home/out" && : >"$home/err" || {
		say 'nohome cannot make a folder in /tmp'
		exit 0
	}
	shift
	# The keeper is nobody's child and in a session of its own: no signal to the command reaches it, nor does the end of the link. It
	# reads the command's environment from where this script came. Neither it nor the command may be a job in the background: those
	# ignore SIGINT, and so would the tool.
	exec 3<&0
	setsid -f env -i PATH="$PATH" sh -c "$leash" assay 0 keep "$mark" "$home" "$size" "$cookie" "$grace" "$reconnect" "$dir" "$out" "$err" "$in" \
		"$hold" "$file" "$@" <&3 3<&- >/dev/null 2>&1
	read -r word <"$home/ready"
	say "go $home"
	say go >&2
	follow 0 0
	;;

keep)
	home=$1 size=$2 cookie=$3 grace=$4 reconnect=$5 dir=$6 out=$7 err=$8
	shift 8
	in=$1 hold=$2 file=$3
	shift 3
	eval "$(head -c "$size")"
	exec </dev/null 3<>"$home/ctl"
	cd /
	echo >"$home/ready"
	while [ "$hold" = 1 ]; do
		case $(timeout "$reconnect" head -c 1 <&3) in
		.) ;;
		g) hold=0 ;;
		*)
			finish off
			hold=off
			;;
		esac
	done
	if [ "$hold" = 0 ]; then
		# Both ends are open before anybody can be at his end of the fifo, and the leash keeps it from ending.
		[ "$in" = 0 ] || exec 5<>"$home/in" 4<"$home/in"
		watch &
		watcher=$!
		exec 5>&-
		now
		started=$now
		(
			read -r main rest </proc/self/stat
			echo "$main" >"$home/pid"
			exec 3<&-
			[ "$in" = 0 ] || exec <&4
			exec 4<&-
			cd "$dir" || exit 126
			set -- "$file" "$@"
			# Variables that some shells export by themselves; env would take a name with = in it for a variable.
			case $file in
			*=*) ;;
			*) set -- "$(command -v env)" -u _ -u PWD -u OLDPWD -u SHLVL "$@" ;;
			esac
			case $out in drop) exec >/dev/null ;; *) exec >>"$home/out" ;; esac
			case $err in drop) exec 2>/dev/null ;; merge) exec 2>&1 ;; *) exec 2>>"$home/err" ;; esac
			setsid=$(command -v setsid)
			environment
			exec "$setsid" "$@"
		)
		code=$?
		exec 4<&-
		now
		read -r main <"$home/pid"
		# A shell tells of a signal as 128 and its number; no signal has a number above 64.
		name=-
		if [ "$code" -gt 128 ] && [ "$code" -le 192 ]; then
			name=SIG$(kill -l "$code" 2>/dev/null) || name=SIGUNKNOWN
		fi
		# A daemon leaves the group only after the first process has ended: daemon(3) makes its session then.
		n=0
		while [ "$n" -lt 10 ] && [ ! -e "$home/told" ] && kill -0 "-$main" 2>/dev/null; do
			n=$((n + 1))
			sleep 0.05
		done
		signal KILL
		# A command that a signal ended could not end its workers either.
		if [ "$name" != - ] || [ -e "$home/told" ]; then strays; fi
		finish "end $code $name $started $now"
		wait "$watcher"
	else
		in=0
		watch
	fi
	exec 4<>"$home/in" # lets go of one that waits to open it
	rm -rf "$home"
	;;

follow)
	home=$1
	if [ ! -p "$home/ctl" ]; then
		say lost
		exit 0
	fi
	say go
	say go >&2
	exec 3<&0
	follow "$2" "$3"
	;;

input)
	# A command that wants none may have ended, and be gone.
	(exec 4>"$1/in" && say go && exec cat >&4) 2>/dev/null || say gone
	;;

end)
	say go
	# Both at once: what it has written is of no use to anybody any more.
	[ -p "$1/ctl" ] && printf xq 1<>"$1/ctl"
	while [ -e "$1" ]; do sleep 0.05; done
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
