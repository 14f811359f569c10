import { describe, expect, it } from 'vitest';
import { readExposition } from './exposition.ts';

const HEAD = '# HELP a_total What.\n# TYPE a_total counter\n';
const HISTOGRAM = (lines: string) => `# HELP h What.\n# TYPE h histogram\n${lines}`;

describe('a page of metrics', () => {
  it('is read', () => {
    const { series, problems } = readExposition(`${HEAD}a_total{x="1\\"\\\\\\n",y=""} 2\n# a comment\n\na_total 1e3\n`);
    expect(problems).toEqual([]);
    expect(series).toEqual([
      { name: 'a_total', labels: { x: '1"\\\n', y: '' }, value: 2 },
      { name: 'a_total', labels: {}, value: 1000 },
    ]);
  });

  it.each([
    [`${HEAD}a_total 1`, 'the last line has no end'],
    ['a_total 1\n', 'no TYPE before it'],
    [`${HEAD}b_total 1\n`, 'no TYPE before it'],
    ['# TYPE a_total counter\na_total 1\n', 'no HELP'],
    ['# HELP a_total x\n', 'no TYPE'],
    ['# HELP a_total x\n# TYPE a_total number\n', 'no type is called number'],
    [`${HEAD}${HEAD}`, 'a second HELP'],
    [`${HEAD}a_total 1\n# TYPE a_total counter\n`, 'behind its lines'],
    [`${HEAD}a_total 1\n# HELP b x\n# TYPE b gauge\n${HEAD}`, 'in two places'],
    [`${HEAD}a_total one\n`, 'no value'],
    [`${HEAD}a_total -1\n`, 'below 0'],
    [`${HEAD}a-total 1\n`, 'no name'],
    [`${HEAD}a_total{x=1} 1\n`, 'no labels'],
    [`${HEAD}a_total{x="1" y="2"} 1\n`, 'no labels'],
    [`${HEAD}a_total{x="a\\tb"} 1\n`, 'no labels'],
    [`${HEAD}a_total{x-y="1"} 1\n`, 'no label is called x-y'],
    [`${HEAD}a_total{x="1",x="2"} 1\n`, 'stands twice'],
    [`${HEAD}a_total{x="1"} 1\na_total{x="1"} 2\n`, 'twice'],
    [HISTOGRAM('h_bucket{le="1"} 1\nh_sum 1\nh_count 1\n'), 'no bucket for all'],
    [HISTOGRAM('h_bucket{le="1"} 2\nh_bucket{le="+Inf"} 1\nh_sum 1\nh_count 1\n'), 'buckets that fall'],
    [HISTOGRAM('h_bucket{le="2"} 1\nh_bucket{le="1"} 1\nh_bucket{le="+Inf"} 1\nh_sum 1\nh_count 1\n'), 'do not rise'],
    [HISTOGRAM('h_bucket{le="+Inf"} 1\nh_sum 1\nh_count 2\n'), 'a count that is not'],
    [HISTOGRAM('h_bucket{le="+Inf"} 1\nh_count 1\n'), 'no sum'],
    ['# HELP a x\n# TYPE a counter\na 1\n', '"_total" belongs'],
    ['# HELP a_total x\n# TYPE a_total gauge\na_total 1\n', '"_total" belongs'],
    ['# HELP a_ms x\n# TYPE a_ms gauge\na_ms 1\n', 'no base unit'],
  ])('%j is found wrong', (page, problem) => {
    expect(readExposition(page).problems.join('\n')).toContain(problem);
  });

  it('of others may have names of their own', () => {
    expect(readExposition('# HELP a_total x\n# TYPE a_total gauge\na_total 1\n', () => false).problems).toEqual([]);
  });
});
