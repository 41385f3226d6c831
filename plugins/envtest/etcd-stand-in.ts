/**
 * A stub for etcd: it listens on the given address and reports that it is healthy, since nothing is stored in it.
 * It is a separate small script, because every suite starts one.
 */
export const etcdScript = `'use strict'
const { createServer } = require('node:net')
const words = process.argv.slice(2)
const valuesOf = name => words.flatMap((word, at) => {
  const [flag, value] = word.replace(/^--?/, '').split(/=(.*)/s)
  return flag === name && word.startsWith('-') ? [value === undefined ? words[at + 1] || '' : value] : []
})
const answer = (status, body) =>
  'HTTP/1.1 ' + status + '\\r\\nContent-Type: application/json\\r\\nContent-Length: ' + body.length + '\\r\\nConnection: close\\r\\n\\r\\n' + body
const answers = {
  '/health': answer('200 OK', '{"health":"true","reason":""}'),
  '/version': answer('200 OK', '{"etcdserver":"3.5.0","etcdcluster":"3.5.0"}'),
}
const serve = socket => {
  let head = ''
  socket.setEncoding('latin1').on('error', () => {}).on('data', text => {
    head = (head + text).slice(0, 8192)
    if (!head.includes('\\r\\n\\r\\n')) return
    const path = (head.split(' ', 2)[1] || '').split('?')[0]
    socket.end(answers[path] || answer('404 Not Found', '{"message":"nothing is stored here: the API server of orch has its own store"}'))
  })
}
const listen = (url, isAsked) => {
  const { protocol, hostname, port } = new URL(url)
  if (!/^https?:$/.test(protocol)) return
  createServer(serve)
    .on('error', error => {
      if (!isAsked) return
      process.stderr.write('etcd: ' + url + ': ' + error.message + '\\n')
      process.exit(1)
    })
    .listen(Number(port), hostname.replace(/^\\[|\\]$/g, ''), () => process.stderr.write('serving client requests on ' + hostname + ':' + port + '\\n'))
}
const clients = valuesOf('listen-client-urls').join(',').split(',').filter(Boolean)
for (const url of clients.length > 0 ? clients : ['http://127.0.0.1:2379']) listen(url, true)
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => process.exit(0))
`

/** Callers search it for flags that only some versions have. */
export const etcdHelp = `A stub for etcd by orch: it answers /health and stores nothing.

Usage:
  etcd [flags]

Flags:

  --advertise-client-urls value
  --data-dir value
  --initial-advertise-peer-urls value
  --initial-cluster value
  --listen-client-urls value
  --listen-peer-urls value
  --unsafe-no-fsync
  --wal-dir value
`
