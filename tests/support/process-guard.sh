# Reads which process groups run, one line each: +PID when one starts, -PID when it has ended. At the end of the input,
# when the process of the tests is gone, it ends the groups that are left.

groups=" "
while read -r line; do
  pid=${line#[+-]}
  case $line in
    +*) groups="$groups$pid " ;;
    -*) groups="${groups%% "$pid" *} ${groups#* "$pid" }" ;;
  esac
done
for pid in $groups; do kill -9 "-$pid"; done
