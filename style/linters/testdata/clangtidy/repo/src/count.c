#include <stdio.h>

int total = 0;

int count(int *numbers, int n) {
  int i;
  for (i = 0; i < n; i++) total += numbers[i];
  printf("%d\n", total);
  return total;
}
