/** Code of plugins that mean harm, for isolation.test.ts: each is the body of a review. */

/** What ends the process, and what the status says of it. */
export const deadly: Readonly<Record<string, readonly [code: string, said: RegExp]>> = {
  'an endless loop': ['for (;;) {}', /did not answer|does not answer|has not answered/],
  'no answer, ever': ['return new Promise(() => {})', /did not answer/],
  'memory without end': [
    'const all = []; for (;;) all.push(new Array(1e5).fill(Math.random()))',
    /its process|did not answer/,
  ],
  'an error in a timer': ["setTimeout(() => { throw new Error('late') }); return new Promise(() => {})", /Error: late/],
  'a rejection that nobody handles': [
    "void Promise.reject(new Error('lost')); return new Promise(() => {})",
    /Error: lost/,
  ],
  'the end of its process': ['process.exit(7)', /ended with code 7/],
  'garbage on the link': [
    "fs.writeSync(3, 'garbage, and more of it'); return new Promise(() => {})",
    /a message of \d+ bytes/,
  ],
  'a list that is no list': [
    "const body = Buffer.from('{}'); const head = Buffer.alloc(4); head.writeUInt32BE(2); fs.writeSync(3, Buffer.concat([head, body])); return new Promise(() => {})",
    /a message that is not a list/,
  ],
  'a flood of messages': [
    "for (let i = 0; i < 60000; i++) logger.info('water'); return new Promise(() => {})",
    /messages in a second|a message of/,
  ],
}

/** What is refused, what the plugin hears of it, and what the status says. */
export const refused: Readonly<Record<string, readonly [code: string, heard: RegExp, told: RegExp]>> = {
  'reading the key of the authority': [
    "try { return fs.readFileSync(request.object.data.file, 'utf8') } catch (e) { return e.code }",
    /ERR_ACCESS_DENIED/,
    /ca\.key/,
  ],
  'listing a folder': [
    "return fs.promises.readdir('/').then(() => 'read', e => e.code)",
    /ERR_ACCESS_DENIED/,
    /read \//,
  ],
  'writing a file': [
    "try { fs.writeFileSync('/tmp/planted', 'x'); return 'written' } catch (e) { return e.code }",
    /ERR_ACCESS_DENIED/,
    /write/,
  ],
  'starting a program': [
    "try { childProcess.execSync('id'); return 'started' } catch (e) { return e.code }",
    /ERR_ACCESS_DENIED/,
    /start a program/,
  ],
  'starting a thread': [
    "try { new Worker('1', { eval: true }); return 'started' } catch (e) { return e.code }",
    /ERR_ACCESS_DENIED/,
    /start a thread/,
  ],
  connecting: [
    "return new Promise(r => { try { net.connect(80, '127.0.0.1').on('error', e => r(e.code)) } catch (e) { r(e.code) } })",
    /ERR_ACCESS_DENIED/,
    /connect to 127\.0\.0\.1:80/,
  ],
  fetching: [
    "return fetch('http://127.0.0.1:65001/').then(() => 'fetched', e => String(e.cause?.code ?? e))",
    /ERR_ACCESS_DENIED/,
    /connect to 127\.0\.0\.1:65001/,
  ],
  listening: [
    "try { net.createServer().listen(0); return 'listens' } catch (e) { return e.code }",
    /ERR_ACCESS_DENIED/,
    /listen/,
  ],
  'a datagram': [
    "try { dgram.createSocket('udp4'); return 'open' } catch (e) { return e.code }",
    /ERR_ACCESS_DENIED/,
    /UDP/,
  ],
}

/** What does no harm, and what the request is answered. */
export const harmless: Readonly<Record<string, readonly [code: string, answer: RegExp]>> = {
  'the environment': ["return 'sees ' + Object.keys(process.env).join()", /sees $/],
  'a prototype in what it changes': [
    'request.object.data = JSON.parse(\'{"__proto__":{"polluted":"yes"},"constructor":"x"}\')',
    /^201|^50\d|^4\d\d/,
  ],
  'another http': ['http.Server.prototype.listen = http.request = () => { throw 1 }; return "patched"', /patched/],
  'a verdict that is none': ['return { rejected: true, message: 5 }', /^500 .*plugin "calm" failed/],
  'an object that is none': ['request.object.data = 5', /^500/],
  'a name that is none': ['request.object.metadata = []', /^500/],
  'an error that is no error': ['throw null', /^500 .*plugin "calm" failed/],
  'prototypes of its own process': ["Object.prototype.polluted = 'yes'; Array.prototype.map = null", /^201|^50\d/],
}
