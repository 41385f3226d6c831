import { ArrayList, findMatches, type Library, method } from '../../cel/index.js'

export const regularExpressions: Library = {
  name: 'regular expressions',
  since: 0,
  functions: {
    find: {
      string_find_string: method(
        'string,string:string',
        (work, text: string, pattern: string) => findMatches(work, text, pattern, 1)[0] ?? '',
      ),
    },
    findAll: {
      string_find_all_string: method(
        'string,string:list(string)',
        (work, text: string, pattern: string) => new ArrayList(findMatches(work, text, pattern)),
      ),
      string_find_all_string_int: method(
        'string,string,int:list(string)',
        (work, text: string, pattern: string, limit: bigint) =>
          new ArrayList(findMatches(work, text, pattern, Number(limit))),
      ),
    },
  },
}
