import { randomBytes } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { aesCbcKey } from './aes-cbc.js'
import { aesGcmKey } from './aes-gcm.js'
import { secretboxKey } from './secretbox.js'

const providers = suite('the providers of keys')
const context = Buffer.from('/secrets/default/one')

for (const [name, make, sizes] of [
  ['AES-GCM', aesGcmKey, [16, 24, 32]],
  ['AES-CBC', aesCbcKey, [16, 24, 32]],
  ['secretbox', secretboxKey, [32]],
] as const) {
  providers(`${name} decrypts what it encrypted, with keys and values of all sizes`, () => {
    for (const size of sizes) {
      const key = make('p:', randomBytes(size))
      for (const length of [0, 1, 15, 16, 17, 1000, 100_000]) {
        const plain = randomBytes(length)
        const sealed = key.seal(plain, context)
        assert.ok(plain.equals(key.open(sealed, context) as Buffer))
        assert.not.ok(length > 15 && sealed.includes(plain))
        assert.not.ok(sealed.equals(key.seal(plain, context)))
      }
    }
  })

  providers(`${name} rejects the value of another object, of another key, and a truncated one`, () => {
    const secret = randomBytes(32)
    const key = make('p:', secret)
    const sealed = key.seal(Buffer.from('value'), context)
    assert.throws(() => key.open(sealed, Buffer.from('/secrets/default/two')))
    assert.throws(() => make('p:', randomBytes(32)).open(sealed, context))
    for (const length of [0, 5, sealed.length - 1]) assert.throws(() => key.open(sealed.subarray(0, length), context))
  })
}

for (const make of [aesGcmKey, secretboxKey]) {
  providers(`${make.name} rejects a value with any bit changed`, () => {
    const key = make('p:', randomBytes(32))
    const sealed = key.seal(Buffer.from('a value'), context)
    for (let place = 0; place < sealed.length; place++) {
      const changed = Buffer.from(sealed)
      changed[place]! ^= 1 << (place % 8)
      assert.throws(() => key.open(changed, context))
    }
  })
}

providers.run()
