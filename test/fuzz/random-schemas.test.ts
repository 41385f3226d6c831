import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { fuzzSchemas } from './random-schemas.js'

/** `npm run fuzz -- --mode schemas` tries many more. */
const schemas = Number(process.env['FUZZ_SCHEMAS'] ?? 60)
const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_117)

const fuzz = suite('random schemas with expensive objects')

fuzz(`neither fail nor block the event loop, ${schemas} times`, async () => {
  console.log(`seed ${seed}: repeat with FUZZ_SEED=${seed}`)
  const { failures, accepted, refused, objects, validObjects } = await fuzzSchemas(schemas, seed)
  assert.equal(failures, [])
  // Both must happen, or the test would be meaningless.
  assert.ok(accepted > schemas / 10 && refused > 0 && objects > 0 && validObjects > 0)
})

fuzz.run()
