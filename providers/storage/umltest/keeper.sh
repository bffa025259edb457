# Waits until nobody holds the other end of its input any more, and then kills the process group $1.
read -r line
kill -KILL "-$1"
