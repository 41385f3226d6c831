import { Json, JsonReader } from './json'

/** Allocates memory for a request. It is never freed, because the server resets the memory after each call. */
export function alloc(length: i32): i32 {
  return i32(heap.alloc(length))
}
function readInput(address: i32, length: i32): Json {
  return new JsonReader(String.UTF8.decodeUnsafe(address, length)).read()
}
/** The address and length of a reply. */
function reply(value: Json): i64 {
  const bytes = String.UTF8.encode(value.toString())
  return (i64(changetype<usize>(bytes)) << 32) | i64(bytes.byteLength)
}
function allowed(isAllowed: bool): Json {
  const verdict = Json.object()
  const value = new JsonReader(isAllowed ? 'true' : 'false').read()
  return verdict.set('allowed', value)
}

/** Sets the cook of recipes that have none, if the option defaultCook is set. */
export function nameCook(address: i32, length: i32): i64 {
  const input = readInput(address, length)
  const spec = input.get('request').get('object').get('spec')
  const cook = input.get('options').get('defaultCook').text
  const verdict = allowed(true)
  if (!spec.get('cook').isNull || cook == '') return reply(verdict)
  const operation = Json.object().set('op', Json.text('add')).set('path', Json.text('/spec/cook'))
  const patch = Json.list()
  patch.items.push(operation.set('value', Json.text(cook)))
  return reply(verdict.set('patch', patch))
}

/** A recipe for many people must take more than ten minutes. */
export function judgeRecipe(address: i32, length: i32): i64 {
  const spec = readInput(address, length).get('request').get('object').get('spec')
  const servings = spec.get('servings').integer
  if (servings <= 20 || spec.get('minutes').integer > 10) {
    const verdict = allowed(true)
    if (servings <= 12) return reply(verdict)
    const warnings = Json.list()
    warnings.items.push(Json.text('that is a lot of people'))
    return reply(verdict.set('warnings', warnings))
  }
  return reply(allowed(false).set('message', Json.text(`nobody cooks for ${servings} people in 10 minutes`)))
}

/** Validates the fields of a recipe. */
export function validateRecipe(address: i32, length: i32): i64 {
  const input = readInput(address, length)
  const spec = input.get('object').get('spec')
  const before = input.get('oldObject').get('spec').get('dish')
  const errors = Json.list()
  if (spec.get('dish').text == '')
    errors.items.push(fieldError('FieldValueRequired', 'spec.dish', 'a recipe must name its dish'))
  else if (!before.isNull && before.text != spec.get('dish').text)
    errors.items.push(fieldError('FieldValueForbidden', 'spec.dish', 'the dish of a recipe cannot be changed'))
  return reply(Json.object().set('errors', errors))
}
function fieldError(type: string, field: string, detail: string): Json {
  const error = Json.object().set('type', Json.text(type))
  return error.set('field', Json.text(field)).set('detail', Json.text(detail))
}

/** Five minutes for each serving, unless the recipe says otherwise. */
export function fillMinutes(address: i32, length: i32): i64 {
  const object = readInput(address, length).get('object')
  const spec = object.get('spec')
  if (spec.get('minutes').isNull) spec.set('minutes', Json.integer(spec.get('servings').integer * 5))
  return reply(Json.object().set('object', object))
}

/** v1beta1 has `people` where v1 has `servings`. */
export function convertRecipe(address: i32, length: i32): i64 {
  const input = readInput(address, length)
  const object = input.get('object')
  const spec = object.get('spec')
  const isOld = input.get('from').text == 'v1beta1'
  const from = isOld ? 'people' : 'servings'
  const value = spec.get(from)
  spec.remove(from)
  if (!value.isNull) spec.set(isOld ? 'servings' : 'people', value)
  return reply(Json.object().set('object', object))
}

export function showSpeed(address: i32, length: i32): i64 {
  const minutes = readInput(address, length).get('object').get('spec').get('minutes').integer
  return reply(Json.object().set('cell', Json.text(minutes <= 30 ? 'quick' : 'slow')))
}
