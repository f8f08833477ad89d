class Base:
    def test_inherited(self):
        assert True
