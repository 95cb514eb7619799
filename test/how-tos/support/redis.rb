# Starts a Redis server of its own, which ends with this process. The run ends with status 77 if the machine has none.
require "tmpdir"

def start_redis
  folder = Dir.mktmpdir("how-to-redis-")
  socket = File.join(folder, "socket")
  server = Process.spawn("redis-server", "--port", "0", "--unixsocket", socket, "--save", "", "--dir", folder,
                         out: File::NULL, err: File::NULL)
  trap("TERM") { exit 1 }
  owner = Process.pid
  Minitest.after_run do
    next unless Process.pid == owner
    Process.kill("TERM", server)
    Process.wait(server)
    FileUtils.rm_rf(folder)
  end
  sleep 0.05 until File.socket?(socket)
  "unix://#{socket}"
rescue Errno::ENOENT
  warn "redis-server is missing"
  exit! 77
end
